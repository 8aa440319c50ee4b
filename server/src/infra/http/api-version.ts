/** CORE-1: the last segment of the base address. */
export const API_VERSION = '2025-10-13'
