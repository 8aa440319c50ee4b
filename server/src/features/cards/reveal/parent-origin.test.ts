import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameAncestorsOf, isParentOrigin } from './parent-origin.ts'

const CASES: readonly (readonly [string, boolean, boolean, string])[] = [
  ['https://shop.example', true, true, 'an https origin'],
  ['https://shop.example:8443', true, true, 'with a port'],
  ['http://localhost:3000', true, false, 'a developer’s page'],
  ['http://127.0.0.1', true, false, 'the same by address'],
  ['http://[::1]:80', false, false, 'the default port is not part of an origin'],
  ['http://shop.example', false, false, 'not encrypted'],
  ['https://shop.example/', false, false, 'a path'],
  ['https://shop.example:443', false, false, 'the default port'],
  ['https://Shop.example', false, false, 'not the form a browser gives'],
  ['https://user@shop.example', false, false, 'a user'],
  ["https://shop.example; script-src 'unsafe-inline'", false, false, 'a further directive'],
  ['https://shop.example;sandbox', false, false, 'the same without a blank'],
  ['https://shop.example,shop.test', false, false, 'a further policy'],
  ['https://[2001:db8::1]', true, true, 'a host by address'],
  ['https://*.shop.example', false, false, 'many origins'],
  ['null', false, false, 'no origin'],
  ['*', false, false, 'any'],
  ['', false, false, 'nothing'],
]

for (const [origin, inSandbox, inProduction, why] of CASES) {
  test(`CARD-37 parentOrigin ${JSON.stringify(origin)}: ${why}`, () => {
    assert.equal(isParentOrigin(origin, 'SANDBOX'), inSandbox)
    assert.equal(isParentOrigin(origin, 'PRODUCTION'), inProduction)
  })
}

const SHOP = 'https://shop.example'
const OFFICE = 'https://office.example'
const LOOPBACK = 'http://localhost:* http://127.0.0.1:* https://localhost:*'

const FRAMES: readonly (readonly [string | null, readonly string[], string, string, string])[] = [
  [SHOP, [], SHOP, SHOP, 'the reveal named a page'],
  [SHOP, [OFFICE], SHOP, SHOP, 'the reveal named one in place of the operator’s'],
  [null, [SHOP, OFFICE], `${SHOP} ${OFFICE}`, `${SHOP} ${OFFICE}`, 'the operator named two'],
  [null, [], LOOPBACK, "'none'", 'nobody named one'],
]

for (const [parentOrigin, cardOrigins, inSandbox, inProduction, why] of FRAMES) {
  test(`CARD-37 who may frame the page where ${why}`, () => {
    const named = { parentOrigin, cardOrigins }
    assert.equal(frameAncestorsOf(named, 'SANDBOX'), inSandbox)
    assert.equal(frameAncestorsOf(named, 'PRODUCTION'), inProduction)
  })
}
