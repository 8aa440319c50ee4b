import { findAccountType } from './table.ts'
import { hasBitcoinForm } from '../formats/wallet/bitcoin-address.ts'
import { hasSandboxSuffix } from '../formats/sandbox-suffix.ts'

/**
 * Whether a text has the form of an address on a network (FEE-8). The Bitcoin chain has no account type of its own; on
 * Lightning invoices, offers and addresses all count.
 */
export function hasNetworkForm({
  network,
  address,
  hasMagicValues,
  now,
}: {
  network: string
  address: string
  hasMagicValues: boolean
  now: Date
}): boolean {
  if (network === 'BITCOIN') return hasBitcoinForm(address)
  const type = findAccountType(network) ?? findAccountType(`${network}_WALLET`)
  return Object.values(type?.fields ?? {}).some(({ normalise, form, formWithSuffix }) => {
    const value = normalise(address, {})
    const check = hasMagicValues && hasSandboxSuffix(value) ? (formWithSuffix ?? form) : form
    return check?.(value, now) ?? false
  })
}
