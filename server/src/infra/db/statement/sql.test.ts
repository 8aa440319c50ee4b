import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, toStatement } from './sql.ts'

test('values become numbered parameters, fragments are spliced in with theirs', () => {
  const inner = sql`b = ${2} and c = ${3}`
  const query = sql`select ${1} where ${inner} limit ${4}`
  assert.equal(toStatement(query).text, 'select $1 where b = $2 and c = $3 limit $4')
  assert.deepEqual(query.values, [1, 2, 3, 4])
})

test('equal texts share a statement, other texts have another', () => {
  const ask = (id: number) => toStatement(sql`select * from t where id = ${id}`)
  assert.equal(ask(1).name, ask(2).name)
  assert.notEqual(ask(1).name, toStatement(sql`select * from u where id = ${1}`).name)
})

test('fragments join, and nothing to ask is true', () => {
  assert.equal(toStatement(sql.and([sql`a`, sql`b = ${1}`])).text, 'a and b = $1')
  assert.equal(toStatement(sql.and([])).text, 'true')
  assert.equal(toStatement(sql.join([], ', ')).text, '')
})

test('our own words become literals, anything else is a bug', () => {
  const query = sql`status = ${sql.word('PENDING_AUTHORIZATION')}`
  assert.equal(toStatement(query).text, "status = 'PENDING_AUTHORIZATION'")
  assert.deepEqual(query.values, [])
  for (const foreign of ["x' or 1=1", 'paid', '', 'A B', 'É']) {
    assert.throws(() => sql.word(foreign), { name: 'InvariantError' }, foreign)
  }
})

test('a template with the same fragments in it is put together once, with other fragments again', () => {
  const ask = (by: ReturnType<typeof sql>, id: unknown) => sql`select ${id} from t where ${by}`
  const [name, age] = [sql`name = ${'x'}`, sql`age > ${1} and age < ${2}`]
  assert.equal(ask(name, 1).parts, ask(name, 2).parts)
  assert.equal(toStatement(ask(name, 1)).text, 'select $1 from t where name = $2')
  assert.equal(toStatement(ask(age, 1)).text, 'select $1 from t where age > $2 and age < $3')
  assert.deepEqual(ask(age, 7).values, [7, 1, 2])
  // A value where there was a fragment, and a fragment where there was a value.
  assert.equal(
    toStatement(ask(age, name)).text,
    'select name = $1 from t where age > $2 and age < $3',
  )
})
