import { digestSecret } from '../../../crypto/secret-hash.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LinkedChallenge } from './store.ts'
import { findChallengeByLink } from './store.ts'

/** The check that a link leads to, of whatever platform; undefined for a secret that was never given out. */
export function findLivenessCheck(tx: Tx, secret: string): Promise<LinkedChallenge | undefined> {
  return findChallengeByLink(tx, digestSecret(secret))
}
