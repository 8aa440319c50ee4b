import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { Card } from './card.ts'
import { findCardRow, lockCardRow } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** Fails: REFERENCE_NOT_FOUND. */
export const mustFindCard = async ({ tx, platform }: Reading, id: Id<'card'>): Promise<Card> =>
  (await findCardRow(tx, platform.id, id)) ?? failNotFound('card')

/** The same, its row locked until the transaction ends. Fails: REFERENCE_NOT_FOUND. */
export const lockCard = async ({ tx, platform }: Reading, id: Id<'card'>): Promise<Card> =>
  (await lockCardRow(tx, platform.id, id)) ?? failNotFound('card')
