import { routesOf, type InterfaceDescription } from './interface-description.ts'
import { SDK_METHODS } from '../../server/src/infra/http/schema/examples/sdk-methods.ts'
import { resourceMethod, type ResourceMethod } from './resource-method.ts'
import { typeNameOf } from './type-text.ts'

type Group = Readonly<{ methods: ResourceMethod[]; groups: Map<string, Group> }>

const newGroup = (): Group => ({ methods: [], groups: new Map() })

/** The operations as a tree, `customers` → `externalAccounts` → `create`. */
function treeOf(description: InterfaceDescription): Group {
  const root = newGroup()
  for (const route of routesOf(description)) {
    const { operationId } = route.operation
    const names = SDK_METHODS[operationId]?.split('.')
    const name = names?.pop()
    if (names === undefined || name === undefined) {
      throw new Error(`${operationId} has no name in infra/http/schema/examples/sdk-methods.ts`)
    }
    const group = names.reduce((above, part) => {
      const below = above.groups.get(part) ?? newGroup()
      above.groups.set(part, below)
      return below
    }, root)
    const { schemas } = description.components
    const place = SDK_METHODS[operationId] ?? name
    group.methods.push(resourceMethod(route, { name, place, schemas }))
  }
  return root
}

function interfaceText({ methods, groups }: Group): string {
  const below = [...groups].map(([name, group]) => `readonly ${name}: ${interfaceText(group)}`)
  return `{\n${[...methods.map(({ signature }) => signature), ...below].join('\n')}\n}`
}

function implementationText({ methods, groups }: Group): string {
  const below = [...groups].map(([name, group]) => `${name}: ${implementationText(group)}`)
  return `{\n${[...methods.map(({ implementation }) => implementation), ...below].join(',\n')}\n}`
}

const methodsBelow = ({ methods, groups }: Group): ResourceMethod[] => [
  ...methods,
  ...[...groups.values()].flatMap(methodsBelow),
]

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const resourceName = (name: string): string => `${pascal(name)}Resource`

const RUNTIME_TYPES = [
  'CallOptions',
  'Caller',
  'List',
  'SignedOptions',
  'StampedOptions',
  'StreamedEvent',
  'StreamOptions',
  'WriteOptions',
]

/** Whether the code itself names it; what is said in comments does not count. */
export function usedIn(text: string): (name: string) => boolean {
  const code = text.replaceAll(/\/\*\*[^]*?\*\//g, '')
  return (name) => new RegExp(`\\b${name}\\b`).test(code)
}

export const importText = (names: readonly string[], from: string): string =>
  names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${from}'\n`

function resourceFile(name: string, group: Group, typeNames: readonly string[]): string {
  const methods = methodsBelow(group)
  const queryNames = methods.flatMap(({ query }) => (query === undefined ? [] : [query.name]))
  const used = ['send', 'list', 'stream'].filter((call) =>
    methods.some(({ implementation }) => implementation.includes(`=> ${call}(`)),
  )
  const text = `export interface ${resourceName(name)} ${interfaceText(group)}

export const ${name}Resource = ({ ${used.join(', ')} }: Caller): ${resourceName(name)} => (${implementationText(group)})
`
  const isUsed = usedIn(text)
  return [
    importText(RUNTIME_TYPES.filter(isUsed), '../../caller.ts'),
    importText(queryNames.toSorted(), '../queries.ts'),
    importText(typeNames.filter(isUsed), '../schemas.ts'),
    `\n${text}`,
  ].join('')
}

function queriesFile(methods: readonly ResourceMethod[], typeNames: readonly string[]): string {
  const text = methods.flatMap(({ query }) => (query === undefined ? [] : [query.text])).join('\n')
  return `${importText(typeNames.filter(usedIn(text)), './schemas.ts')}\n${text}`
}

/** The groups of the platform's client as one record; the agent's is a single group. */
function clientFile(names: readonly string[]): string {
  const imports = names.map(
    (name) =>
      `import { ${name}Resource, type ${resourceName(name)} } from './resources/${kebab(name)}.ts'`,
  )
  const members = names.map((name) => `readonly ${name}: ${resourceName(name)}`)
  const made = names.map((name) => `${name}: ${name}Resource(caller),`)
  return `import type { Caller } from '../caller.ts'
${imports.join('\n')}

/** Every operation of a platform, by what it is about. */
export interface PlatformResources {
${members.join('\n')}
}

export const platformResources = (caller: Caller): PlatformResources => ({
${made.join('\n')}
})
`
}

const AGENT = 'agent'

/** Path below `generated/` → text. */
export function resourcesFiles(description: InterfaceDescription): [path: string, text: string][] {
  const root = treeOf(description)
  const { groups } = root
  const typeNames = Object.keys(description.components.schemas).map(typeNameOf).toSorted()
  const files = [...groups].map(([name, group]): [string, string] => [
    `resources/${kebab(name)}.ts`,
    resourceFile(name, group, typeNames),
  ])
  const ofPlatform = [...groups.keys()].filter((name) => name !== AGENT)
  return [
    ...files,
    ['queries.ts', queriesFile(methodsBelow(root), typeNames)],
    ['platform-resources.ts', clientFile(ofPlatform)],
  ]
}
