"""The API of the rules service, version 1: generated from the .proto files beside it."""
