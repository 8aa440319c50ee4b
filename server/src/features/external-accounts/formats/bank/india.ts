/** India's branch code: four letters of the bank, a reserved zero, six characters of the branch. */
export const IFSC_PATTERN = '^[A-Z]{4}0[A-Z0-9]{6}$'

/** India's virtual payment address: a user and the handle of a payment provider, which has no dot. */
export const UPI_VPA_PATTERN = '^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$'
