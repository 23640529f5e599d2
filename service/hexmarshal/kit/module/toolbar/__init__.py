"""What stands in the toolbar of a module: buttons that clear the table, charts, keys."""
