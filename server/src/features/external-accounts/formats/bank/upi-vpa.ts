/** India's virtual payment address: a user and the handle of a payment provider, which has no dot. */
export const UPI_VPA_PATTERN = '^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$'
