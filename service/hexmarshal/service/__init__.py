"""The gRPC rules service: judges actions, answers questions, holds matches."""
