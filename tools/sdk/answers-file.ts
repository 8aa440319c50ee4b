import { routesOf, type InterfaceDescription, type Route } from './interface-description.ts'
import { importText, usedIn } from './resources-files.ts'
import { typeNameOf, typeText } from './type-text.ts'

const PATH_PARAMETER = /\{\w+\}/g

/**
 * What every operation answers below 300, by method and path with `{}` for an id: the tests read answers by these
 * types.
 */
export function answersFile(description: InterfaceDescription): string {
  const routes = routesOf(description)
  const members = routes.map(
    ({ method, path, operation }) =>
      `'${method} ${path.replaceAll(PATH_PARAMETER, '{}')}': { ${bodiesText(operation)} }`,
  )
  const words = new Set(routes.flatMap(({ path }) => path.split('/').filter(isWord)))
  const text = `/** What is answered to a request by the status of success. */
export interface Answers {
${members.join('\n')}
}

/** A part of a path that is not an id. */
export type PathWord = ${[...words].toSorted().map(quotedWord).join(' | ')}
`
  const typeNames = Object.keys(description.components.schemas).map(typeNameOf).toSorted()
  return `${importText(typeNames.filter(usedIn(text)), '../../../sdk/src/index.ts')}\n${text}`
}

const isWord = (part: string): boolean => part !== '' && !part.startsWith('{')
const quotedWord = (word: string): string => `'${word}'`

function bodiesText({ responses }: Route['operation']): string {
  const bodies = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return `${status}: ${schema === undefined ? 'undefined' : typeText(schema)}`
    })
  return bodies.join('; ')
}
