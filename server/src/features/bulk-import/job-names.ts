export const SCAN_FILE_JOB = 'bulk-import.scan-file'
export const IMPORT_ROWS_JOB = 'bulk-import.import-rows'
