import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentsOf } from './brand-colors.ts'

const COLORS: readonly (readonly [color: string, light: string, because: string])[] = [
  ['#0b6266', '#0b6266', 'a dark color stays as it is'],
  ['#000000', '#000000', 'black stays'],
  ['#ffd500', '#806b00', 'yellow is made darker'],
  ['#ffffff', '#6b6b6b', 'white becomes a grey'],
  ['#E11D48', '#d41b44', 'a bright red is moved a little'],
]

for (const [color, expected, because] of COLORS) {
  test(`OPER-196 ${color} is ${expected} on a light page: ${because}`, () => {
    const { light } = accentsOf(color)
    assert.deepEqual(light, { accent: expected, onAccent: '#ffffff' })
  })
}

test('OPER-196 at night a dark color is made lighter, with dark text on it', () => {
  assert.deepEqual(accentsOf('#0b6266').dark.onAccent, '#000000')
  assert.deepEqual(accentsOf('#ffd500').dark, { accent: '#ffd500', onAccent: '#000000' })
})
