import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeIdToken, type ExpectedIdToken, type IdTokenProblem } from './judge-id-token.ts'

const NOW = 1_800_000_000

const expected: ExpectedIdToken = {
  issuer: 'https://login.example.com',
  clientId: 'florin',
  nonce: 'n-1',
  acr: undefined,
  provenSince: undefined,
  now: new Date(NOW * 1_000),
}

const good = {
  iss: expected.issuer,
  sub: 'subject-1',
  aud: 'florin',
  iat: NOW,
  exp: NOW + 300,
  nonce: 'n-1',
}

type Row = readonly [claims: object, problem: IdTokenProblem | undefined, more?: object]

const IAT = 'iat is too old, in the future or missing'
const EXP = 'exp has passed or is missing'
const AUTH_TIME = 'auth_time is too old or missing'
const acr = { acr: ['mfa', 'hardware'] }
const again = { provenSince: new Date((NOW - 30) * 1_000) }

const ROWS: readonly Row[] = [
  [{}, undefined],
  [{ sub: undefined }, 'sub is missing'],
  [{ sub: '' }, 'sub is missing'],
  [{ sub: 7 }, 'sub is missing'],
  [{ sub: 's'.repeat(256) }, 'sub is missing'],
  [{ iss: undefined }, 'iss is another issuer'],
  [{ iss: `${expected.issuer}/` }, 'iss is another issuer'],
  [{ iss: [expected.issuer] }, 'iss is another issuer'],
  [{ aud: 'other' }, 'aud is another client'],
  [{ aud: undefined }, 'aud is another client'],
  [{ aud: [] }, 'aud is another client'],
  [{ aud: 'florin2' }, 'aud is another client'],
  [{ aud: ['florin'] }, undefined],
  [{ aud: ['florin', 'other'] }, 'azp is another client'],
  [{ aud: ['florin', 'other'], azp: 'other' }, 'azp is another client'],
  [{ aud: ['florin', 'other'], azp: 'florin' }, undefined],
  [{ azp: 'other' }, 'azp is another client'],
  [{ exp: NOW - 59 }, undefined],
  [{ exp: NOW - 60 }, EXP],
  [{ exp: undefined }, EXP],
  [{ exp: String(NOW + 300) }, EXP],
  [{ iat: NOW + 60 }, undefined],
  [{ iat: NOW + 61 }, IAT],
  [{ iat: NOW - 300 }, undefined],
  [{ iat: NOW - 660 }, undefined],
  [{ iat: NOW - 661 }, IAT],
  [{ iat: undefined }, IAT],
  [{ iat: '1800000000' }, IAT],
  [{ nbf: NOW + 60 }, undefined],
  [{ nbf: NOW + 61 }, 'nbf is in the future'],
  [{ nonce: 'n-2' }, 'nonce is another'],
  [{ nonce: undefined }, 'nonce is another'],
  [{ nonce: ['n-1'] }, 'nonce is another'],
  [{}, 'acr is not accepted', acr],
  [{ acr: 'password' }, 'acr is not accepted', acr],
  [{ acr: ['mfa'] }, 'acr is not accepted', acr],
  [{ acr: 'hardware' }, undefined, acr],
  [{}, AUTH_TIME, again],
  [{ auth_time: NOW - 91 }, AUTH_TIME, again],
  [{ auth_time: String(NOW) }, AUTH_TIME, again],
  [{ auth_time: NOW - 10 }, undefined, again],
]

for (const [claims, problem, more = {}] of ROWS) {
  const title = JSON.stringify(claims, (_key, value: unknown) => value ?? null)
  const where = JSON.stringify(more) === '{}' ? '' : ` where ${Object.keys(more).join()} is asked`
  test(`OPER-33 an ID token with ${title}${where}: ${problem ?? 'accepted'}`, () => {
    assert.equal(judgeIdToken({ ...good, ...claims }, { ...expected, ...more }), problem)
  })
}
