import { failFields } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import { unauthorized } from '../../infra/http/authenticate.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockLiveTokens, markTokenDeleted } from './store.ts'

/**
 * Deletes a token for good: in this process from the next request on, in others as soon as they are notified (TOK-5).
 * The deleting token is locked and must be live until the commit, so that tokens deleting one another leave at least
 * one (TOK-6).
 * Fails: INVALID_INPUT when a token would delete itself, TOKEN_NOT_FOUND, UNAUTHORIZED when the deleting token was
 * itself deleted meanwhile.
 */
export async function deleteToken(work: Work, id: Id<'token'>): Promise<void> {
  const { tx, platform, actor, now } = work
  const ownId = actor.kind === 'token' ? actor.tokenId : undefined
  if (id === ownId) {
    failFields([{ field: 'tokenId', message: 'is the token of this very request' }])
  }
  const live = await lockLiveTokens(tx, platform.id, ownId ? [id, ownId] : [id])
  if (ownId && !live.includes(ownId)) throw unauthorized('the token was deleted meanwhile')
  if (!live.includes(id)) failNotFound('token')
  await markTokenDeleted(tx, platform.id, { id, at: now })
  await work.react('token.deleted', { tokenId: id })
}
