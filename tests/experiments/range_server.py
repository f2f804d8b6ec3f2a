"""A web server for the tests of downloads. usage: range_server.py FOLDER PORT_FILE

/whole/NAME    FOLDER/NAME, with byte ranges
/cut/NAME      the same, but a request from the first byte on is cut off half way
/noranges/NAME the same, but without ranges: always the whole file
/broken/NAME   status 500
Writes the port it listens on into PORT_FILE, every request's path and Range to PORT_FILE.log.
"""
import http.server
import os
import sys

folder, port_file = sys.argv[1:]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, mode, name = self.path.split("/", 2)
        range_header = self.headers.get("Range", "")
        with open(port_file + ".log", "a") as log:
            log.write(f"{self.path} {range_header}\n")
        path = os.path.join(folder, name)
        if mode == "broken":
            return self.send_error(500)
        if not os.path.isfile(path):
            return self.send_error(404)
        with open(path, "rb") as file:
            content = file.read()
        begin = 0
        if range_header and mode != "noranges":
            begin = int(range_header.removeprefix("bytes=").split("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        end = len(content) // 2 if mode == "cut" and begin == 0 else len(content)
        self.wfile.write(content[begin:end])
        self.close_connection = True

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(port_file + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
