// An environment variable that is put back after the test.
#pragma once

#include <cstdlib>
#include <string>

/// Sets an environment variable for the length of a scope.
class WithEnvironment {
 public:
  WithEnvironment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    setenv(name, value.c_str(), 1);
  }
  ~WithEnvironment() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};
