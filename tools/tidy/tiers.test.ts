import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEATURE_TIERS, featureTier, layerRank, LAYERS, mayImportLayer } from './tiers.ts'

test('every layer and every feature has one place', () => {
  for (const names of [LAYERS.flat(), FEATURE_TIERS.flat()]) {
    assert.equal(new Set(names).size, names.length)
  }
})

test('ranks rise from the kernel to the commands, and from platform to agents', () => {
  assert.equal(layerRank('kernel'), 1)
  assert.equal(layerRank('bin'), LAYERS.length)
  assert.equal(layerRank('services'), undefined)
  assert.equal(featureTier('platform'), 1)
  assert.equal(featureTier('agents'), FEATURE_TIERS.length)
  assert.equal(featureTier('loans'), undefined)
})

const IMPORTS = [
  ['infra', 'kernel', true, 'downwards'],
  ['infra', 'crypto', true, 'infra seals what it stores'],
  ['crypto', 'infra', false, 'primitives know no infrastructure'],
  ['features', 'features', true, 'the tiers decide further'],
  ['ledger', 'webhooks', false, 'neighbours'],
  ['webhooks', 'ledger', false, 'neighbours'],
  ['pages', 'operator', false, 'neighbours'],
  ['dashboard', 'operator', true, 'it does what the commands do'],
  ['dashboard', 'pages', true, 'it shares their HTML'],
  ['operator', 'dashboard', false, 'commands know no screens'],
  ['dashboard', 'sandbox', false, 'only the composition root knows simulators'],
  ['sandbox', 'features', true, 'simulators drive features'],
  ['app', 'sandbox', true, 'the composition root wires simulators in'],
  ['bin', 'sandbox', false, 'nobody else knows them'],
  ['kernel', 'services', false, 'a layer without a place'],
] as const

for (const [importer, imported, expected, because] of IMPORTS) {
  test(`${importer} ${expected ? 'may' : 'may not'} import ${imported}: ${because}`, () => {
    assert.equal(mayImportLayer({ importer, imported }), expected)
  })
}
