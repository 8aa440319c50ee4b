import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProject } from '../../../tools/tidy/project/check-project.ts'
import { isServerSource } from '../../../tools/tidy/project/places.ts'
import { projectOf, readTexts } from '../../../tools/tidy/project/project.ts'
import { hasStrictIdentifiers, traitsOf } from '../../src/kernel/platform-traits.ts'
import { builtInProviders, findBuiltIn } from '../../src/infra/providers/built-in.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'

test('PROV-10 no source compares the environment but where traits and providers are chosen', () => {
  const naming = [...readTexts(ROOT)].filter(
    ([path, text]) => isServerSource(path) && /SANDBOX|PRODUCTION/.test(text),
  )
  const found = checkProject(projectOf(new Map(naming))).filter(
    ({ rule }) => rule === 'environment-compared',
  )
  assert.deepEqual(found, [])
})

test('PROV-10 every trait tells a sandbox from production', () => {
  const [sandbox, production] = [
    traitsOf({ environment: 'SANDBOX' }),
    traitsOf({ environment: 'PRODUCTION' }),
  ]
  assert.deepEqual(
    Object.entries(production),
    Object.entries(sandbox).map(([trait, has]) => [trait, !has]),
  )
})

test('PROV-10 identifiers are strict in production, and in a sandbox where it is switched on', () => {
  for (const [environment, strictIdentifiers, isStrict] of [
    ['SANDBOX', false, false],
    ['SANDBOX', true, true],
    ['PRODUCTION', false, true],
    ['PRODUCTION', true, true],
  ] as const) {
    assert.equal(hasStrictIdentifiers({ environment, strictIdentifiers }), isStrict)
  }
})

test('PROV-7 without a registration a built-in provider answers: production has none for cards and coins', () => {
  const builtIn = builtInProviders({ smtpUrl: undefined, smsGatewayUrl: undefined })
  const ports = ['rails', 'deposits', 'identity', 'screening', 'prices'] as const
  for (const port of ports) {
    assert.equal(findBuiltIn(builtIn, 'SANDBOX', { port })?.kind, 'sandbox')
    assert.equal(findBuiltIn(builtIn, 'PRODUCTION', { port })?.kind, 'manual')
  }
  for (const port of ['cards', 'stablecoins'] as const) {
    assert.equal(findBuiltIn(builtIn, 'SANDBOX', { port })?.kind, 'sandbox')
    assert.equal(findBuiltIn(builtIn, 'PRODUCTION', { port }), undefined)
  }
})
