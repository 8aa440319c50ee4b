import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProject } from './check-project.ts'
import { projectOf } from './project.ts'
import type { Rule } from './rule.ts'

/** A small repository and the places (`file:line`) where the rule must speak; none means it must be silent. */
export type RuleCase = Readonly<{
  rule: string
  because: string
  files: Readonly<Record<string, string>>
  at: readonly string[]
}>

/** One test a case, and one that every rule of the family is proved both to fire and to keep quiet. */
export function proveRules(rules: readonly Rule[], cases: readonly RuleCase[]): void {
  for (const { rule, because, files, at } of cases) {
    test(`${rule} ${at.length === 0 ? 'is silent' : 'fires'}: ${because}`, () => {
      const found = checkProject(projectOf(new Map(Object.entries(files))))
        .filter((finding) => finding.rule === rule)
        .map(({ file, line }) => `${file}:${line}`)
      assert.deepEqual(found, at)
    })
  }
  for (const { name } of rules) {
    test(`${name} is proved both ways`, () => {
      const own = cases.filter(({ rule }) => rule === name)
      assert.ok(own.some(({ at }) => at.length > 0))
      assert.ok(own.some(({ at }) => at.length === 0))
    })
  }
}
