// What an error said.
#pragma once

#include <string>

/// The message of the ErrorType that `body` throws; "" if it throws nothing. Other exceptions pass and fail the test.
template <class ErrorType, class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const ErrorType& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
