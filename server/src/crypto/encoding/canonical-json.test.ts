import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

test('SIGN-1 the published example of RFC 8785, 3.2.2, comes out as printed', () => {
  const source = `{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`
  const printed =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  assert.equal(canonicalJson(JSON.parse(source)), printed)
})

test('SIGN-1 keys sort by UTF-16 code units, as in RFC 8785, 3.2.3', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  assert.deepEqual(
    Object.values(JSON.parse(canonicalJson(value))).toSorted(),
    Object.values(value).toSorted(),
  )
  const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, text]) => text)
  assert.deepEqual(order, [
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('SIGN-5 the order of keys and the white space of a body do not matter, its values do', () => {
  const first = '{"a":1,"b":{"c":[1,2],"d":null}}'
  const same = ['{ "b": {"d":null, "c":[1, 2]}, "a": 1.0 }', '{"b":{"c":[1,2e0],"d":null},"a":1}']
  const other = [
    '{"a":1,"b":{"c":[2,1],"d":null}}',
    '{"a":"1","b":{"c":[1,2],"d":null}}',
    '{"a":1,"b":{"c":[1,2]}}',
    '{"a":1,"b":{"c":[1,2],"d":null},"e":null}',
  ]
  const canonical = (text: string): string => canonicalJson(JSON.parse(text))
  for (const text of same) assert.equal(canonical(text), canonical(first), text)
  for (const text of other) assert.notEqual(canonical(text), canonical(first), text)
})

test('SIGN-5 any JSON value comes back from its canonical text, which is its own canonical form', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = canonicalJson(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.equal(canonicalJson(JSON.parse(text)), text)
    }),
  )
})

test('SIGN-1 a member that is not set is left out', () => {
  assert.equal(canonicalJson({ b: undefined, a: [] }), '{"a":[]}')
})

test('a value that JSON cannot hold is an invariant failure', () => {
  for (const value of [
    NaN,
    Infinity,
    1n,
    undefined,
    () => 1,
    '\ud800',
    { a: [1n] },
    { '\ud800': 1 },
  ]) {
    assert.throws(() => canonicalJson(value), { name: 'InvariantError' })
  }
})
