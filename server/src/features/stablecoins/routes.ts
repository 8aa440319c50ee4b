import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import type { Work } from '../../infra/work/work.ts'
import { beginOperation } from './operations/begin-operation.ts'
import { checkBurnSource, checkFundingSource } from './operations/sources.ts'
import { describeToken } from './coins/describe-token.ts'
import { mustFindLink, mustFindOperation, mustFindStablecoin } from './must-find.ts'
import { chooseIssuer, requestKeyOf } from './issuer/issuer.ts'
import { linkProviderAccount } from './links/link-provider-account.ts'
import { listOperations } from './operations/list-operations.ts'
import { listProviderAccounts } from './links/list-provider-accounts.ts'
import { listStablecoins } from './coins/list-stablecoins.ts'
import { orderOperation } from './operations/order-operation.ts'
import { registerStablecoin } from './coins/register-stablecoin.ts'
import {
  BurnRequestSchema,
  LinkRequestSchema,
  MintRequestSchema,
  OperationListQuerySchema,
  OperationListSchema,
  OperationSchema,
  ProviderAccountListQuerySchema,
  ProviderAccountListSchema,
  ProviderAccountSchema,
  RegisterRequestSchema,
  StablecoinListQuerySchema,
  StablecoinListSchema,
  StablecoinSchema,
} from './schema.ts'
import { verifyCredentials } from './links/verify-credentials.ts'
import {
  burnFromWire,
  linkToWire,
  mintFromWire,
  operationToWire,
  stablecoinToWire,
} from './wire.ts'

const tag = 'Stablecoins'
const coinParams = Type.Object({
  stablecoinId: pathId('Id of the stablecoin, `Stablecoin:<uuid>`.'),
})

const at = ({ platform, now }: Work) => ({ environment: platform.environment, now })

const EXAMPLE_ACCOUNT = 'ExternalAccount:01994d2e-7c1a-7f00-8000-000000000001'
const ORDER_ERRORS = [
  'INVALID_AMOUNT',
  'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
  'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
  'REFERENCE_NOT_FOUND',
  'USER_NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
] as const

export const routes: readonly Operation[] = [
  write({
    id: 'linkStablecoinProviderAccount',
    method: 'POST',
    path: '/stablecoin-provider-accounts',
    tag,
    needs: 'MANAGE',
    requires: 'stablecoins',
    summary: 'Link an account at an issuance provider',
    description: 'The credentials are verified with the provider before anything is stored.',
    body: LinkRequestSchema,
    example: { provider: 'BRALE', apiClientId: 'acme_client', apiClientSecret: 'a secret' },
    replies: { 201: ProviderAccountSchema },
    errors: [
      'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_KEY_IN_USE',
    ],
    key: 'required',
    lookUp: ({ body, deps, platform, keyed }) => {
      const { apiClientId, apiClientSecret, providerAccountId } = body
      const credentials = { apiClientId, apiClientSecret }
      const request = { credentials, providerAccountId, requestKey: requestKeyOf(keyed) }
      return verifyCredentials(chooseIssuer(deps, platform), request)
    },
    handler: async ({ work, body, found }) => {
      const { provider } = body
      const link = await linkProviderAccount(work, { provider, verified: found })
      return reply(201, linkToWire(link, at(work)))
    },
  }),
  read({
    id: 'listStablecoinProviderAccounts',
    path: '/stablecoin-provider-accounts',
    tag,
    needs: 'VIEW',
    summary: 'List linked provider accounts',
    description: 'Newest first, without credentials.',
    query: ProviderAccountListQuerySchema,
    replies: { 200: ProviderAccountListSchema },
    handler: async ({ work, query }) => {
      const page = await listProviderAccounts(work, query)
      return reply(200, { ...page, data: page.data.map((link) => linkToWire(link, at(work))) })
    },
  }),
  read({
    id: 'getStablecoinProviderAccount',
    path: '/stablecoin-provider-accounts/{stablecoinProviderAccountId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a linked provider account',
    description: 'Whether the provider still accepts the credentials; they are never shown.',
    params: Type.Object({
      stablecoinProviderAccountId: pathId(
        'Id of the linked provider account, `StablecoinProviderAccount:<uuid>`.',
      ),
    }),
    replies: { 200: ProviderAccountSchema },
    errors: ['STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const id = mustParseId('stablecoinProviderAccount', params.stablecoinProviderAccountId)
      return reply(200, linkToWire(await mustFindLink(work, id), at(work)))
    },
  }),
  write({
    id: 'registerStablecoin',
    method: 'POST',
    path: '/stablecoins',
    tag,
    needs: 'MANAGE',
    requires: 'stablecoins',
    summary: 'Register a stablecoin',
    description:
      'A coin that a linked provider account issues. What it is called and worth is learnt from the provider.',
    body: RegisterRequestSchema,
    example: {
      providerTokenIdentifier: 'ACME',
      networkTokenIdentifier: 'btkn1q0p5hh3ktgc0xyqewlkkjh8ar8hx8sk6kc9l0r',
      network: 'SPARK',
    },
    replies: { 201: StablecoinSchema },
    errors: [
      'STABLECOIN_PROVIDER_ACCOUNT_INVALID',
      'STABLECOIN_PROVIDER_ACCOUNT_REVOKED',
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
      'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_KEY_IN_USE',
    ],
    key: 'required',
    lookUp: ({ body, deps, platform, keyed }) =>
      describeToken({ deps, platform, requestKey: requestKeyOf(keyed) }, body),
    handler: async ({ work, body, found }) => {
      const coin = await registerStablecoin(work, { request: body, token: found })
      return reply(201, stablecoinToWire(coin, at(work)))
    },
  }),
  read({
    id: 'listStablecoins',
    path: '/stablecoins',
    tag,
    needs: 'VIEW',
    summary: 'List stablecoins',
    description: 'Newest first. All filters combine.',
    query: StablecoinListQuerySchema,
    replies: { 200: StablecoinListSchema },
    handler: async ({ work, query }) => {
      const page = await listStablecoins(work, query)
      return reply(200, {
        ...page,
        data: page.data.map((coin) => stablecoinToWire(coin, at(work))),
      })
    },
  }),
  read({
    id: 'getStablecoin',
    path: '/stablecoins/{stablecoinId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a stablecoin',
    description: 'How far its issuance is, and whether the service keeps accounts in it.',
    params: coinParams,
    replies: { 200: StablecoinSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const id = mustParseId('stablecoin', params.stablecoinId)
      return reply(200, stablecoinToWire(await mustFindStablecoin(work, id), at(work)))
    },
  }),
  write({
    id: 'createStablecoinMint',
    method: 'POST',
    path: '/stablecoins/{stablecoinId}/mints',
    tag,
    needs: 'TRANSACT',
    requires: 'stablecoins',
    summary: 'Mint a stablecoin',
    description: 'Paid for by wire, within seven days, or by debit of a bank account.',
    params: coinParams,
    body: MintRequestSchema,
    example: {
      amount: '1000000',
      fundingSource: { type: 'WIRE' },
      destination: { accountId: EXAMPLE_ACCOUNT },
    },
    replies: { 201: OperationSchema },
    errors: ORDER_ERRORS,
    key: 'required',
    check: ({ body }) => checkFundingSource(body),
    lookUp: ({ body, params, ...outside }) =>
      orderOperation(outside, {
        stablecoinId: mustParseId('stablecoin', params.stablecoinId),
        order: mintFromWire(body),
      }),
    handler: async ({ work, found }) =>
      reply(201, operationToWire(await beginOperation(work, found), at(work))),
  }),
  write({
    id: 'createStablecoinBurn',
    method: 'POST',
    path: '/stablecoins/{stablecoinId}/burns',
    tag,
    needs: 'TRANSACT',
    requires: 'stablecoins',
    summary: 'Burn a stablecoin',
    description:
      'The coin is sent to the address answered, within seven days, or taken from the balance at the provider; its worth is paid to a bank account.',
    params: coinParams,
    body: BurnRequestSchema,
    example: {
      amount: '1000000',
      source: { type: 'EXTERNAL_ACCOUNT' },
      destination: {
        type: 'EXTERNAL_ACCOUNT',
        externalAccountId: EXAMPLE_ACCOUNT,
        rail: 'ACH_CREDIT',
      },
    },
    replies: { 201: OperationSchema },
    errors: ORDER_ERRORS,
    key: 'required',
    check: ({ body }) => checkBurnSource(body),
    lookUp: ({ body, params, ...outside }) =>
      orderOperation(outside, {
        stablecoinId: mustParseId('stablecoin', params.stablecoinId),
        order: burnFromWire(body),
      }),
    handler: async ({ work, found }) =>
      reply(201, operationToWire(await beginOperation(work, found), at(work))),
  }),
  read({
    id: 'listStablecoinOperations',
    path: '/stablecoins/{stablecoinId}/operations',
    tag,
    needs: 'VIEW',
    summary: 'List mints and burns of a stablecoin',
    description: 'Newest first.',
    params: coinParams,
    query: OperationListQuerySchema,
    replies: { 200: OperationListSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params, query }) => {
      const page = await listOperations(work, params.stablecoinId, query)
      return reply(200, { ...page, data: page.data.map((one) => operationToWire(one, at(work))) })
    },
  }),
  read({
    id: 'getStablecoinOperation',
    path: '/stablecoin-operations/{stablecoinOperationId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a mint or burn',
    description: 'State, funding instructions and, of a burn, what will be paid out.',
    params: Type.Object({
      stablecoinOperationId: pathId('Id of the mint or burn, `StablecoinOperation:<uuid>`.'),
    }),
    replies: { 200: OperationSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params }) => {
      const id = mustParseId('stablecoinOperation', params.stablecoinOperationId)
      return reply(200, operationToWire(await mustFindOperation(work, id), at(work)))
    },
  }),
]
