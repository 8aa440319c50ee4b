import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ORGANIZATION_ID, TEK, WALLET_ID } from '../../../test/kit/wallets/vectors.ts'
import { asId } from '../../kernel/ids.ts'
import {
  addDelegatedKeyPayload,
  addOauthPayload,
  addPasskeyPayload,
  allowDelegatedKeyPayload,
  executeQuotePayload,
  exportWalletPayload,
  refreshSessionPayload,
  revokeCredentialPayload,
  revokeSessionPayload,
  setEmailPayload,
  setPhoneNumberPayload,
  setPrivacyPayload,
} from './activities.ts'
import type { Activity } from './activities.ts'
import { passkeyLoginChallenge, payloadToSign } from './payload-to-sign.ts'

const uuid = (last: string): string => `019a0000-0000-7000-8000-0000000000${last}`
const requestId = asId('request', uuid('0a'))
const authMethodId = asId('authMethod', uuid('0b'))
const sessionId = asId('session', uuid('0c'))
const fundingSourceId = asId('cardFundingSource', uuid('0d'))
const userId = uuid('03')
const clientPublicKey = TEK.point.uncompressed.toUpperCase()
const at = new Date(1_775_681_700_000)

/** What stands between the parameters and the type, and around them, in all but a quote's own payload. */
const around = (parameters: string, type: string): string =>
  `{"organizationId":"${ORGANIZATION_ID}","parameters":${parameters},"requestId":"Request:${requestId}","timestampMs":"1775681700000","type":"${type}"}`

const ROWS: readonly [rule: string, activity: Activity, expected: string][] = [
  [
    'CRED-6 add PASSKEY',
    addPasskeyPayload({
      userId,
      nickname: 'Zoë’s "phone"',
      challenge: 'Y2hhbGxlbmdl',
      attestation: {
        credentialId: 'aWQ',
        clientDataJson: 'Y2Rq',
        attestationObject: 'YW8=',
        transports: ['internal', 'hybrid'],
      },
    }),
    around(
      `{"authenticators":[{"attestation":{"attestationObject":"YW8=","clientDataJson":"Y2Rq","credentialId":"aWQ"},"authenticatorName":"Zoë’s \\"phone\\"","challenge":"Y2hhbGxlbmdl","transports":["internal","hybrid"]}],"userId":"${userId}"}`,
      'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    ),
  ],
  [
    'CRED-6 add OAUTH',
    addOauthPayload({ userId, oidcToken: 'a.b.c', providerName: 'https://accounts.google.com' }),
    around(
      `{"oauthProviders":[{"oidcToken":"a.b.c","providerName":"https://accounts.google.com"}],"userId":"${userId}"}`,
      'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS',
    ),
  ],
  [
    'CRED-6 add EMAIL_OTP, SIGN-14 change email',
    setEmailPayload({ userId, email: 'ann@example.com' }),
    around(
      `{"userEmail":"ann@example.com","userId":"${userId}"}`,
      'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    ),
  ],
  [
    'CRED-6 add SMS_OTP, SIGN-14 change phone',
    setPhoneNumberPayload({ userId, phoneNumber: '+491701234567' }),
    around(
      `{"userId":"${userId}","userPhoneNumber":"+491701234567"}`,
      'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
    ),
  ],
  ...(
    [
      ['PASSKEY', 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS'],
      ['OAUTH', 'ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS'],
      ['EMAIL_OTP', 'ACTIVITY_TYPE_DELETE_OTP_CREDENTIALS'],
      ['SMS_OTP', 'ACTIVITY_TYPE_DELETE_OTP_CREDENTIALS'],
    ] as const
  ).map(([credentialType, type]): [string, Activity, string] => [
    `CRED-19 revoke ${credentialType}`,
    revokeCredentialPayload({ userId, credentialType, authMethodId }),
    around(`{"credentialIds":["AuthMethod:${authMethodId}"],"userId":"${userId}"}`, type),
  ]),
  [
    'SESS-6 revoke session',
    revokeSessionPayload({ userId, sessionId }),
    around(
      `{"apiKeyIds":["Session:${sessionId}"],"userId":"${userId}"}`,
      'ACTIVITY_TYPE_DELETE_API_KEYS',
    ),
  ],
  [
    'SESS-4 refresh session, the key as sent',
    refreshSessionPayload({ sessionId, clientPublicKey }),
    around(
      `{"sessionId":"Session:${sessionId}","targetPublicKey":"${clientPublicKey}"}`,
      'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
    ),
  ],
  [
    'EXPT-3 export, the key as sent',
    exportWalletPayload({ walletId: WALLET_ID, clientPublicKey }),
    around(
      `{"targetPublicKey":"${clientPublicKey}","walletId":"${WALLET_ID}"}`,
      'ACTIVITY_TYPE_EXPORT_WALLET',
    ),
  ],
  [
    'SIGN-22 privacy, with the hash of {"privateEnabled":true}',
    setPrivacyPayload({
      walletId: WALLET_ID,
      privateEnabled: true,
      body: { privateEnabled: true },
    }),
    around(
      `{"encoding":"PAYLOAD_ENCODING_HEXADECIMAL","hashFunction":"HASH_FUNCTION_NO_OP","payload":"${createHash('sha256').update('{"privateEnabled":true}').digest('hex')}","privateEnabled":true,"signWith":"${WALLET_ID}"}`,
      'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    ),
  ],
  [
    'DKEY-2 delegated key, first payload',
    addDelegatedKeyPayload({
      cardId: asId('card', uuid('0e')),
      fundingSourceId,
      publicKey: TEK.point,
      nickname: 'Groceries',
    }),
    around(
      `{"cardId":"Card:${uuid('0e')}","fundingSourceId":"CardFundingSource:${fundingSourceId}","publicKey":"${TEK.point.compressed}","userName":"Groceries"}`,
      'ACTIVITY_TYPE_CREATE_USERS_V3',
    ),
  ],
  [
    'DKEY-2 delegated key, second payload, with two policies',
    allowDelegatedKeyPayload({
      delegatedKeyId: asId('delegatedKey', uuid('0f')),
      fundingSourceId,
      publicKey: TEK.point,
    }),
    around(
      `{"delegatedKeyId":"DelegatedKey:${uuid('0f')}","policies":["ALLOW card payments of CardFundingSource:${fundingSourceId}","DENY quotes, credential changes and exports"],"publicKey":"${TEK.point.compressed}"}`,
      'ACTIVITY_TYPE_CREATE_POLICIES',
    ),
  ],
]

for (const [title, activity, expected] of ROWS) {
  test(`${title}: the payload is exactly these bytes`, () => {
    assert.equal(
      payloadToSign({ organizationId: ORGANIZATION_ID, activity, requestId, at }),
      expected,
    )
  })
}

test('SIGN-18 a quote’s own payload names no Request, and holds amounts as decimal text', () => {
  const activity = executeQuotePayload({
    quoteId: asId('quote', uuid('10')),
    walletId: WALLET_ID,
    destination: { accountId: 'ExternalAccount:x', destinationType: 'ACCOUNT' },
    feesIncluded: 10n,
    sendingCurrency: 'USDB',
    receivingCurrency: 'USDC',
    totalSendingAmount: 9_000_000_000_000_000n,
    totalReceivingAmount: 8_999_999_999_999_990n,
  })
  assert.equal(
    payloadToSign({ organizationId: ORGANIZATION_ID, activity, at }),
    `{"organizationId":"${ORGANIZATION_ID}","parameters":{"destination":{"accountId":"ExternalAccount:x","destinationType":"ACCOUNT"},"feesIncluded":"10","quoteId":"Quote:${uuid('10')}","receivingCurrency":"USDC","sendingCurrency":"USDB","signWith":"${WALLET_ID}","totalReceivingAmount":"8999999999999990","totalSendingAmount":"9000000000000000"},"timestampMs":"1775681700000","type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2"}`,
  )
})

test('CRED-13 a passkey sent without transports is signed with none', () => {
  const { parameters } = addPasskeyPayload({
    userId,
    nickname: 'n',
    challenge: 'c',
    attestation: { credentialId: 'i', clientDataJson: 'd', attestationObject: 'o' },
  })
  assert.deepEqual((parameters['authenticators'] as { transports: unknown }[])[0]?.transports, [])
})

test('SIGN-22 the order and the white space of the privacy body do not change what is signed', () => {
  const hashOf = (body: unknown): unknown =>
    setPrivacyPayload({ walletId: WALLET_ID, privateEnabled: true, body }).parameters['payload']
  assert.equal(
    hashOf(JSON.parse('{"b":1,"privateEnabled":true}')),
    hashOf(JSON.parse('{ "privateEnabled": true, "b": 1.0 }')),
  )
  assert.notEqual(hashOf({ privateEnabled: true }), hashOf({ privateEnabled: false }))
})

test('CHAL-4 the challenge of a passkey login is the hash of its canonical payload', () => {
  const challenge = passkeyLoginChallenge({
    organizationId: ORGANIZATION_ID,
    credentialId: 'aWQ',
    clientPublicKey,
    requestId,
    at,
  })
  const payload = around(
    `{"credentialId":"aWQ","expirationSeconds":"900","publicKey":"${clientPublicKey}"}`,
    'ACTIVITY_TYPE_STAMP_LOGIN',
  )
  assert.equal(challenge, createHash('sha256').update(payload).digest('hex'))
  assert.match(challenge, /^[0-9a-f]{64}$/)
})
