/** India's branch code: four letters of the bank, a reserved zero, six characters of the branch. */
export const IFSC_PATTERN = '^[A-Z]{4}0[A-Z0-9]{6}$'
