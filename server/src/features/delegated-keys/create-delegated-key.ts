/**
 * Lets a card spend from a wallet, in three calls (DKEY-2): the unsigned first call; a signed retry, which makes the
 * key; a second signed retry, which activates it. Fails: REFERENCE_NOT_FOUND (no such binding), INVALID_INPUT (no
 * wallet), CONFLICT (there is an active key), and what a signed retry is refused with.
 */
import { fail, type Refusal } from '../../kernel/errors.ts'
import { asId, failNotFound, mustParseId, newId, parseId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { advance } from '../../kernel/machine.ts'
import { seal } from '../../crypto/seal.ts'
import { addDelegatedKeyPayload, allowDelegatedKeyPayload } from '../../crypto/wallet/activities.ts'
import { newKeyPair } from '../../crypto/wallet/keys/key-pair.ts'
import { payloadToSign } from '../../crypto/wallet/payload-to-sign.ts'
import { parsePoint, type Point } from '../../crypto/wallet/keys/point.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import type { Work } from '../../infra/work/work.ts'
import { listFundingSources, lockCard, saveDelegatedKey } from '../cards/index.ts'
import {
  challengeToWire,
  findSignatureRequest,
  mustLockWallet,
  openSignatureRequest,
  readSignedHeaders,
  runSigned,
  settlerOf,
  takeRetry,
  type DraftedOperation,
  type Processing,
  type Settler,
  type SignedOperation,
  type SignedInput,
  type SignatureRequest,
  type Wallet,
  type WireChallenge,
} from '../wallet-auth/index.ts'
import type { DelegatedKey } from './delegated-key.ts'
import { delegatedKey } from './machine.ts'
import type { DelegatedKeyCreateBody } from './schema.ts'
import { findKey, hasActiveKey, insertKey, saveStatus } from './store.ts'
import { keyToWire, type WireDelegatedKey } from './wire.ts'

const MAKE = 'createDelegatedKey'
const ACTIVATE = 'createDelegatedKey.activate'
const SEAL_PURPOSE = 'delegated-key'

type Binding = Readonly<{
  wallet: Wallet
  cardId: Id<'card'>
  fundingSourceId: Id<'cardFundingSource'>
  body: DelegatedKeyCreateBody
}>

/** Locks the card before its account, in the order of card payments (DKEY-1). */
async function findBinding(work: Work, input: SignedInput): Promise<Binding> {
  const body = input.body as DelegatedKeyCreateBody
  const cardId = mustParseId('card', body.cardId)
  const accountId = asId('internalAccount', input.resourceId)
  const card = await lockCard(work, cardId)
  const sources = await listFundingSources(work.tx, work.platform.id, cardId)
  const source = sources.find((one) => one.accountId === accountId)
  if (card.state === 'CLOSED' || source === undefined) return failNotFound('card')
  const wallet = await mustLockWallet(work, accountId, 'internalAccountId')
  return { wallet, cardId, fundingSourceId: source.id, body }
}

/** Checks on every call that no key is active (DKEY-3), and on a retry that the signed binding still exists (DKEY-1). */
async function refuseConflict(
  { tx, platform }: Work,
  { subject, request }: { subject: Binding; request?: SignatureRequest | undefined },
): Promise<undefined> {
  if (request && request.context['fundingSourceId'] !== subject.fundingSourceId) {
    failNotFound('cardFundingSource')
  }
  if (await hasActiveKey(tx, platform.id, subject.fundingSourceId))
    fail('CONFLICT', { reason: 'KEY_ACTIVE' })
}

/** The key pair that the first call proposes; the first signed retry makes it. */
type Proposal = Readonly<{ id: Id<'delegatedKey'>; publicKey: Point; sealed: Buffer }>

function propose({ keyring }: Work): Proposal {
  const id = newId('delegatedKey')
  const { scalar, point } = newKeyPair()
  const sealed = seal(keyring, SEAL_PURPOSE, scalar, id)
  scalar.fill(0)
  return { id, publicKey: point, sealed }
}

type Context = Readonly<{ delegatedKeyId: string; publicKey: string; privateKey: string }>

const makeKey: DraftedOperation<Binding & { proposal: Proposal }, Reply<202, WireChallenge>> = {
  id: MAKE,
  find: async (work, input) => ({ ...(await findBinding(work, input)), proposal: propose(work) }),
  check: refuseConflict,
  draft: ({ cardId, fundingSourceId, body: { nickname }, proposal }) => ({
    activity: addDelegatedKeyPayload({
      cardId,
      fundingSourceId,
      publicKey: proposal.publicKey,
      nickname,
    }),
    context: {
      fundingSourceId,
      delegatedKeyId: proposal.id,
      publicKey: proposal.publicKey.compressed,
      privateKey: proposal.sealed.toString('base64'),
    },
  }),
  async perform(work, { subject, request }) {
    const { tx, platform, now } = work
    const { wallet, cardId, fundingSourceId, body } = subject
    const { delegatedKeyId, publicKey, privateKey } = request?.context as Context
    const id = asId('delegatedKey', delegatedKeyId)
    const { accountId, organizationId } = wallet
    const { nickname } = body
    const status = delegatedKey.initial
    const key = { id, cardId, fundingSourceId, accountId, publicKey, nickname, status }
    insertKey(tx, platform.id, {
      key: { ...key, createdAt: now, updatedAt: now },
      privateKey: Buffer.from(privateKey, 'base64'),
    })
    const point = parsePoint(publicKey)
    invariant(point, 'A key that was proposed lies on the curve.')
    const activity = allowDelegatedKeyPayload({
      delegatedKeyId: id,
      fundingSourceId,
      publicKey: point,
    })
    const next = openSignatureRequest(work, {
      operation: ACTIVATE,
      resourceId: accountId,
      wallet,
      body,
      context: { fundingSourceId, delegatedKeyId },
      payload: ({ id: requestId }) =>
        payloadToSign({ organizationId, activity, requestId, at: now }),
    })
    return reply(202, challengeToWire(next))
  },
}

const activateKey: SignedOperation<Binding, Reply<201, WireDelegatedKey>> = {
  id: ACTIVATE,
  find: findBinding,
  check: refuseConflict,
  async perform({ tx, platform, now }, { subject: { fundingSourceId }, request }) {
    const { delegatedKeyId } = request?.context as Pick<Context, 'delegatedKeyId'>
    const key = await findKey(tx, platform.id, asId('delegatedKey', delegatedKeyId))
    invariant(key, 'The first signed retry made the key.')
    const status = advance(delegatedKey, key.status, 'activate')
    const active: DelegatedKey = { ...key, status, updatedAt: now }
    await saveStatus(tx, platform.id, active)
    await saveDelegatedKey(tx, platform.id, { fundingSourceId, isActive: true })
    return reply(201, keyToWire(active))
  },
}

export const delegatedKeySettlers: readonly Settler[] = [settlerOf(makeKey), settlerOf(activateKey)]

export async function createDelegatedKey(
  work: Work,
  {
    body,
    headers: allHeaders,
  }: {
    body: DelegatedKeyCreateBody
    headers: Readonly<Record<string, string | undefined>>
  },
): Promise<Reply<201, WireDelegatedKey> | Reply<202, WireChallenge> | Processing | Refusal> {
  const resourceId = mustParseId('internalAccount', body.internalAccountId)
  const headers = readSignedHeaders(allHeaders)
  const id = headers.requestId === undefined ? undefined : parseId('request', headers.requestId)
  const request = id && (await findSignatureRequest(work.tx, work.platform.id, id))
  const input = { resourceId, body }
  if (request?.operation !== ACTIVATE) {
    return runSigned(work, makeKey, { ...input, headers: allHeaders })
  }
  const subject = await activateKey.find(work, input)
  return takeRetry(work, activateKey, { subject, input, headers })
}
