/** The fields of instructions by which deposits are recognised. */
export const FUNDING_ADDRESS_FIELDS = [
  'reference',
  'accountNumber',
  'iban',
  'clabeNumber',
  'qrCode',
  'vpa',
  'paymentUrl',
  'phoneNumber',
  'address',
  'invoice',
]
