import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersFile } from './answers-file.ts'
import type { InterfaceDescription } from './interface-description.ts'

const json = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})

const operation = (operationId: string, responses: object) => ({
  operationId,
  summary: operationId,
  responses,
})

const DESCRIPTION = {
  paths: {
    '/pets': { post: operation('createPet', { 201: json('Pet'), 400: json('ErrorBody') }) },
    '/pets/{petId}/toys/{toyId}': {
      patch: operation('updateToy', { 200: json('Toy'), 202: json('Challenge') }),
      delete: operation('deleteToy', { 204: {} }),
    },
  },
  components: { schemas: { Pet: {}, Toy: {}, Challenge: {}, ErrorBody: {}, Unused: {} } },
} as unknown as InterfaceDescription

test('answers are listed by method, path and status below 300, with the types they name', () => {
  const file = answersFile(DESCRIPTION)
  for (const line of [
    "'POST /pets': { 201: Pet }",
    "'PATCH /pets/{}/toys/{}': { 200: Toy; 202: Challenge }",
    "'DELETE /pets/{}/toys/{}': { 204: undefined }",
    "type PathWord = 'pets' | 'toys'",
  ]) {
    assert.ok(file.includes(line), `${line} in\n${file}`)
  }
  assert.match(file, /^import type \{[^}]*Challenge[^}]*Pet[^}]*Toy[^}]*\} from/)
  assert.doesNotMatch(file, /ErrorBody|Unused/)
})
