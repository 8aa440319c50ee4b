/** The last segment of the base address (CORE-1). */
export const API_VERSION = '2025-10-13'
