import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { IssuedCard } from '../../../providers/card-issuer.ts'
import { findSealed, insertSealed } from './store.ts'

const PURPOSE = 'card-vault'

/** Shown on the cardholder's screen only (CARD-38). */
export type CardSecrets = Pick<IssuedCard, 'number' | 'securityCode'>

export async function putIntoVault(
  { tx, keyring }: Readonly<{ tx: Tx; keyring: Keyring }>,
  { platformId, cardId }: { platformId: Id<'platform'>; cardId: Id<'card'> },
  { number, securityCode }: CardSecrets,
): Promise<void> {
  const sealed = seal(keyring, PURPOSE, JSON.stringify({ number, securityCode }), cardId)
  await insertSealed(tx, { platformId, cardId, sealed })
}

/** Only the page that shows a card's number may call this. */
export async function readVault(
  { tx, keyring }: Readonly<{ tx: Tx; keyring: Keyring }>,
  { platformId, cardId }: { platformId: Id<'platform'>; cardId: Id<'card'> },
): Promise<CardSecrets | undefined> {
  const sealed = await findSealed(tx, { platformId, cardId })
  if (!sealed) return undefined
  return JSON.parse(unseal(keyring, PURPOSE, sealed, cardId).toString('utf8')) as CardSecrets
}
