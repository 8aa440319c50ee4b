import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { findToken, type ApiToken } from './store.ts'

/** A live token of the platform (TOK-8, TOK-9). Fails: TOKEN_NOT_FOUND. */
export async function mustFindToken(work: Work, id: Id<'token'>): Promise<ApiToken> {
  return (await findToken(work.tx, work.platform.id, id)) ?? failNotFound('token')
}
