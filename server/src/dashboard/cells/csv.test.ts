import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

const ROWS = [
  ['=1+1', "'=1+1", 'a formula'],
  ['+49 30 1234', "'+49 30 1234", 'a phone number would be counted'],
  ['-cmd', "'-cmd", 'a formula with a minus'],
  ['@SUM(A1)', "'@SUM(A1)", 'a function'],
  ['-12.50', '-12.50', 'a number stays one'],
  ['Müller, "M"', '"Müller, ""M"""', 'commas and quotes'],
  ['two\nlines', '"two\nlines"', 'a line break'],
  ['', '', 'nothing'],
] as const

for (const [text, written, because] of ROWS) {
  test(`OPER-121 in a CSV file ${JSON.stringify(text)} is ${JSON.stringify(written)}: ${because}`, () => {
    assert.equal(csvLine([text, 'x']), `${written},x\r\n`)
  })
}
