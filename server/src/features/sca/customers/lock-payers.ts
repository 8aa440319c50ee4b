import { scaRelyingParty } from '../../../crypto/passkey/relying-party.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { phoneNumbersOf } from '../factors/factor.ts'
import { lockPayers, type PayerKey, type PayerRecord } from './payer-store.ts'
import type { ScaCustomer } from './sca-customer.ts'
import type { PasskeyUse } from '../wire.ts'

/** A payer who needs strong authentication, with the relying party of its challenges. */
export type ScaPayer = Readonly<{ sca: ScaCustomer; use: PasskeyUse | undefined }>

const keyText = ({ platformId, customerId }: PayerKey): string => `${platformId} ${customerId}`

/** Locks the payers, of any platforms, who need strong authentication; answers undefined for all others. */
export async function lockScaPayers(
  tx: Tx,
  keys: readonly PayerKey[],
): Promise<(key: PayerKey) => ScaPayer | undefined> {
  const found = keys.length > 0 ? await lockPayers(tx, keys) : []
  const payers = new Map(found.map((payer) => [keyText(payer), toScaPayer(payer)]))
  return (key) => payers.get(keyText(key))
}

function toScaPayer(payer: PayerRecord): ScaPayer {
  const { record, customerId, environment, passkeyOrigins } = payer
  const { totp, passkey, security, smsSentAt } = record
  const relyingParty = scaRelyingParty(passkeyOrigins, environment)
  const use = relyingParty && { relyingParty }
  return {
    use,
    sca: {
      customer: { id: customerId },
      factors: { ...phoneNumbersOf(payer, record), totp, passkey: relyingParty && passkey },
      security,
      smsSentAt,
    },
  }
}
