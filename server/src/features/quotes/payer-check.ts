import type { Id } from '../../kernel/ids.ts'
import type { ScaPayer } from '../sca/index.ts'
import type { PayingSide, ReceivingSide } from '../payment-terms/index.ts'

/** A payer who has to prove payments, and the payee as messages name it. */
export type PayerCheck = Readonly<{ payer: ScaPayer; payee: string }>

/** SCA-40: whose proof a payment would need, where that customer's region asks for one; undefined: nobody's. */
export function scaPayerIdOf({
  paying,
  receiving,
}: Readonly<{ paying: PayingSide; receiving: ReceivingSide }>): Id<'customer'> | undefined {
  const payerId = paying.kind === 'realtime' ? paying.payer?.id : paying.account.customerId
  if (!payerId) return undefined
  const isOwn = receiving.kind === 'internal' && receiving.account.customerId === payerId
  return isOwn ? undefined : payerId
}
