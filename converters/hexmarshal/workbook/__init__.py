"""Workbooks as spreadsheets keep them: .xlsx, .ods and .csv read, made and changed in place."""
