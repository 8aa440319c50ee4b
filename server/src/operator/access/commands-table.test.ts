import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROLES, type Role } from '../../kernel/access/operator.ts'
import type { Access, CommandHead } from '../command.ts'
import { commands, localCommands } from '../commands.ts'

type Row = Readonly<{ name: string; role: string; fourEyes: string }>

const CHAPTER = join(import.meta.dirname, '../../../../docs/specification/45-operators.md')

const NAMED = /`([^`]+)`/g

/** The rows of section 2, one for each command that a row names. */
function readTable(): readonly Row[] {
  const text = readFileSync(CHAPTER, 'utf8')
  const section = text.slice(text.indexOf('## 2. '), text.indexOf('## 3. '))
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((line) => {
    const [, names = '', role = '', fourEyes = ''] = line.split('|')
    return [...names.matchAll(NAMED)].map(([, name = '']) => ({
      name,
      role: role.trim(),
      fourEyes: fourEyes.trim(),
    }))
  })
}

const lastWord = (name: string): string => name.split(' ').at(-1) ?? ''

/** What some inputs need beyond it is decided by the command, for which a person has to be able to call it. */
const rolesIn = (role: string): readonly Role[] =>
  /any\b|^that of|^its/.test(role)
    ? ['VIEWER', 'DEVELOPER']
    : ROLES.filter((one) => role.split(/\W+/).includes(one))

/** The first sign of the last column, and whether `local` is said of this command. */
const asInTable = ({ name, role, fourEyes }: Row) => ({
  roles: rolesIn(role),
  fourEyes: { M: 'always', T: 'threshold' }[fourEyes.charAt(0)],
  isLocal: fourEyes.startsWith('–, local') || fourEyes.includes(`\`${lastWord(name)}\`: local`),
})

const asInCode = ({ roles, fourEyes, isLocal }: Access) => ({
  roles: ROLES.filter((one) => roles.includes(one)),
  fourEyes,
  isLocal: isLocal === true,
})

const table = readTable()
const all: readonly CommandHead[] = [...commands, ...localCommands]

test('OPER-1 every command is in the table of the chapter, and every row is a command', () => {
  const named = table.map(({ name }) => name).toSorted()
  assert.deepEqual(all.map(({ name }) => name).toSorted(), named)
})

test('OPER-1 role, four-eyes class and being local are data of each command, as the table has them', () => {
  for (const { name, access } of all) {
    const row = table.find((one) => one.name === name)
    assert.ok(row, name)
    assert.deepEqual(asInCode(access), asInTable(row), name)
  }
})

test('OPER-1 what stops something needs no second operator', () => {
  // A legal hold keeps data and stops nobody.
  const stops = /(freeze|(?<!legal-)hold|reject|disable|revoke|close|sign-out-all)$/
  const found = all.filter(({ name }) => stops.test(name) && !name.includes('unfreeze'))
  assert.ok(found.length > 5)
  for (const { name, access } of found) assert.equal(access.fourEyes, undefined, name)
})
