import { Type } from '../../infra/http/schema/type.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { procedure, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { mustParseUmaAddress } from '../uma/index.ts'
import { askAddressFor, askRemoteFor, readingOf } from './ask-remote.ts'
import { storeLookup, lookUpExternalAccount, lookUpUma } from './look-up-receiver.ts'
import { ExternalAccountLookupSchema, SenderQuerySchema, UmaLookupSchema } from './schema.ts'
import { mustFindSender } from './sender.ts'
import { lookedUpToWire } from './wire.ts'

const tag = 'Cross-Currency Transfers'

/** The errors of asking another provider (UMA-8). */
export const REMOTE_ERRORS: readonly ErrorCode[] = [
  'INVALID_UMA_ADDRESS',
  'UMA_NOT_FOUND',
  'COUNTERPARTY_NOT_ALLOWED',
  'LNURLP_REQUEST_FAILED',
  'PARSE_LNURLP_RESPONSE_ERROR',
  'NO_COMPATIBLE_UMA_VERSION',
  'UNSUPPORTED_UMA_VERSION',
  'COUNTERPARTY_PUBKEY_FETCH_ERROR',
  'INVALID_PUBKEY_FORMAT',
  'CERT_CHAIN_INVALID',
  'CERT_CHAIN_EXPIRED',
  'INVALID_NONCE',
  'INVALID_TIMESTAMP',
  'MISSING_REQUIRED_UMA_PARAMETERS',
  'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
  'LOOKUP_REQUEST_FAILED',
]

export const routes: readonly Operation[] = [
  procedure({
    id: 'lookupUma',
    method: 'GET',
    path: '/receiver/uma/{receiverUmaAddress}',
    tag,
    needs: 'VIEW',
    summary: 'Look up a UMA receiver',
    description: 'What can be paid to it, and what it asks to know of the sender.',
    params: Type.Object({
      receiverUmaAddress: pathId('UMA address of the receiver, `$user@domain`.'),
    }),
    query: SenderQuerySchema,
    replies: { 200: UmaLookupSchema },
    errors: ['USER_NOT_FOUND', ...REMOTE_ERRORS],
    handler: async ({ params, query, deps, platform, inWork }) => {
      const address = mustParseUmaAddress(params.receiverUmaAddress)
      const reading = readingOf(deps, platform)
      const sender = await mustFindSender(reading, query)
      const asked = { address, sender }
      const found = await lookUpUma(reading, asked, askRemoteFor(deps, platform))
      const lookupId = await inWork((work) => Promise.resolve(storeLookup(work, found)))
      const receiverUmaAddress = found.receiver
      return reply(200, { ...lookedUpToWire(found, lookupId), receiverUmaAddress })
    },
  }),
  procedure({
    id: 'lookupExternalAccount',
    method: 'GET',
    path: '/receiver/external-account/{accountId}',
    tag,
    needs: 'VIEW',
    summary: 'Look up an external account as a receiver',
    description:
      'In which currencies and amounts it can be paid, and what has to be known of the sender.',
    params: Type.Object({
      accountId: pathId('Id of the external account, `ExternalAccount:<uuid>`.'),
    }),
    query: SenderQuerySchema,
    replies: { 200: ExternalAccountLookupSchema },
    errors: [
      'REFERENCE_NOT_FOUND',
      'USER_NOT_FOUND',
      'INVALID_UMA_ADDRESS',
      'UMA_NOT_FOUND',
      'LNURLP_REQUEST_FAILED',
      'PARSE_LNURLP_RESPONSE_ERROR',
    ],
    handler: async ({ params, query, deps, platform, inWork }) => {
      const id = mustParseId('externalAccount', params.accountId)
      const reading = readingOf(deps, platform)
      const sender = await mustFindSender(reading, query)
      const askAddress = askAddressFor(deps, platform)
      const found = await lookUpExternalAccount(reading, { id, sender }, askAddress)
      const lookupId = await inWork((work) => Promise.resolve(storeLookup(work, found)))
      return reply(200, { ...lookedUpToWire(found, lookupId), accountId: found.receiver })
    },
  }),
]
