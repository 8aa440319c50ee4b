import type { Id } from '../../../kernel/ids.ts'
import { type ScaPayer, lockScaPayers } from '../../sca/index.ts'
import type { PayingSide, ReceivingSide } from '../../payment-terms/index.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import { lastCharacters } from '../../../kernel/text/cut-text.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { findExternalAccount, type ExternalAccount } from '../../external-accounts/index.ts'

/** A payer who has to prove payments, and the payee as messages show it. */
export type PayerCheck = Readonly<{ payer: ScaPayer; payee: string }>

/** The customer whose proof a payment may need; undefined for payments of the platform and to oneself (SCA-40). */
export function scaPayerIdOf({
  paying,
  receiving,
}: Readonly<{ paying: PayingSide; receiving: ReceivingSide }>): Id<'customer'> | undefined {
  const payerId = paying.kind === 'realtime' ? paying.payer?.id : paying.account.customerId
  if (!payerId) return undefined
  const isOwn = receiving.kind === 'internal' && receiving.account.customerId === payerId
  return isOwn ? undefined : payerId
}

export type CheckedSides = Readonly<{
  platform: Platform
  keyring: Keyring
  paying: PayingSide
  receiving: ReceivingSide
}>

/** Locks the payers and answers the check of each payment; undefined where its payer needs none. */
export async function loadPayerChecks(
  tx: Tx,
  payments: readonly (CheckedSides | undefined)[],
): Promise<(PayerCheck | undefined)[]> {
  const wanted = payments.map((sides) => {
    const customerId = sides && scaPayerIdOf(sides)
    return sides && customerId && { sides, key: { platformId: sides.platform.id, customerId } }
  })
  const payerOf = await lockScaPayers(
    tx,
    wanted.flatMap((one) => (one ? [one.key] : [])),
  )
  return Promise.all(
    wanted.map(async (one) => {
      const payer = one && payerOf(one.key)
      return payer && { payer, payee: await describePayee(tx, one.sides) }
    }),
  )
}

/** Reads the sealed account of the payee, so it runs only for payments that need a proof. */
async function describePayee(
  tx: Tx,
  { platform, keyring, receiving }: CheckedSides,
): Promise<string> {
  if (receiving.kind === 'uma') return receiving.umaAddress
  if (receiving.kind === 'internal') return `an account in ${receiving.account.currency}`
  const id: Id<'externalAccount'> = receiving.account.id
  const account = await findExternalAccount({ tx, platform, keyring }, id)
  return account ? payeeOf(account) : `an account in ${receiving.account.currency}`
}

const SHOWN_DIGITS = 4

function payeeOf({ accountInfo, identifiedBy }: ExternalAccount): string {
  const number = accountInfo[identifiedBy]
  const tail = typeof number === 'string' ? `…${lastCharacters(number, SHOWN_DIGITS)}` : ''
  const beneficiary = accountInfo['beneficiary'] as Record<string, unknown> | undefined
  const name = beneficiary?.['fullName'] ?? beneficiary?.['legalName']
  return typeof name === 'string' ? `${name} (${tail})` : tail
}
