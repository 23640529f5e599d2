"""The Connect protocol: the calls of the service as JSON over HTTP."""
