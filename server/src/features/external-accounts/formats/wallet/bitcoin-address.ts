const SEGWIT = /^(bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}$/
const BASE58 = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/

/** The form of an address on the Bitcoin chain itself, of any of its networks. */
export function hasBitcoinForm(address: string): boolean {
  return SEGWIT.test(address) || BASE58.test(address)
}
