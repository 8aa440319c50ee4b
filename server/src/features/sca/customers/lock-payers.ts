import { scaRelyingParty } from '../../../crypto/passkey/relying-party.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { lockPayers, type PayerKey, type PayerRecord } from './payer-store.ts'
import { toScaCustomer, type ScaCustomer } from './sca-customer.ts'
import type { PasskeyUse } from '../wire.ts'

/** A payer who needs strong authentication, with the relying party of its challenges. */
export type ScaPayer = Readonly<{ sca: ScaCustomer; use: PasskeyUse | undefined }>

const keyText = ({ platformId, customerId }: PayerKey): string => `${platformId} ${customerId}`

/** Locks the payers, of any platforms, who need strong authentication; the result is undefined for all others. */
export async function lockScaPayers(
  tx: Tx,
  keys: readonly PayerKey[],
): Promise<(key: PayerKey) => ScaPayer | undefined> {
  const found = keys.length > 0 ? await lockPayers(tx, keys) : []
  const payers = new Map(found.map((payer) => [keyText(payer), toScaPayer(payer)]))
  return (key) => payers.get(keyText(key))
}

function toScaPayer(payer: PayerRecord): ScaPayer {
  const { record, customerId: id, environment, passkeyOrigins } = payer
  const relyingParty = scaRelyingParty(passkeyOrigins, environment)
  const passkey = relyingParty && record.passkey
  return {
    use: relyingParty && { relyingParty },
    sca: toScaCustomer({ ...payer, id }, { ...record, passkey }),
  }
}
