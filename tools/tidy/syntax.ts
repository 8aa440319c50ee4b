import ts from 'typescript'
import { literalText } from './project/code-file.ts'
import {
  inLayer,
  isBrowserScript,
  isConfig,
  isScript,
  isServerSource,
  isTest,
} from './project/places.ts'
import type { NodeRule } from './project/rule.ts'

const everywhere = (): boolean => true
const SETTINGS = 'server/src/infra/settings/settings.ts'
/** Has what the tables of settings share. */
const SETTING_ROW = 'server/src/infra/settings/setting.ts'
const CLOCK = 'server/src/kernel/clock.ts'

/** `object.name`, also written `object['name']`. */
function isMember(node: ts.Node, object: string, name?: string): boolean {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false
  if (!ts.isIdentifier(node.expression) || node.expression.text !== object) return false
  if (name === undefined) return true
  const member = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression
  return (ts.isIdentifier(member) || ts.isStringLiteral(member)) && member.text === name
}

const isNamed = (node: ts.Node | undefined, ...names: readonly string[]): boolean =>
  node !== undefined && ts.isIdentifier(node) && names.includes(node.text)

function importsName(node: ts.Node, module: RegExp, name: string): boolean {
  if (!ts.isImportSpecifier(node) || (node.propertyName ?? node.name).text !== name) return false
  const { moduleSpecifier } = node.parent.parent.parent
  return ts.isStringLiteral(moduleSpecifier) && module.test(moduleSpecifier.text)
}

/** What the language offers and this house does not use. */
export const languageRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'no-any',
    fix: 'name the type, or take `unknown` and narrow it',
    covers: everywhere,
    breaks: (node) => node.kind === ts.SyntaxKind.AnyKeyword,
  },
  {
    kind: 'node',
    name: 'no-enum',
    fix: 'use a union of strings, or a constant object `as const`',
    covers: everywhere,
    breaks: (node) => ts.isEnumDeclaration(node),
  },
  {
    kind: 'node',
    name: 'no-export-star',
    fix: 'export one by one, so that what is public can be read',
    covers: everywhere,
    breaks: (node) =>
      ts.isExportDeclaration(node) &&
      (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)) &&
      !passesOnGeneratedTypes(node),
  },
  {
    kind: 'node',
    name: 'no-default-export',
    fix: 'export it by its name',
    // Node.js finds a test reporter by its default export; declarations say what others export.
    covers: (path) =>
      !isConfig(path) && !path.endsWith('.d.ts') && path !== 'tools/test-run/test-reporter.ts',
    breaks: (node) =>
      ts.isExportAssignment(node) ||
      (ts.isExportSpecifier(node) && node.name.text === 'default') ||
      (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)),
  },
  {
    kind: 'node',
    name: 'no-class',
    fix: 'use a function that returns a record; only errors are classes',
    // A test may need an instance to prove how one is treated.
    covers: (path) => !isTest(path),
    breaks: (node) => ts.isClassLike(node) && !extendsError(node),
  },
]

/** The generator decides what is public there, and types alone bring no code along. */
const passesOnGeneratedTypes = ({ isTypeOnly, moduleSpecifier }: ts.ExportDeclaration): boolean =>
  isTypeOnly &&
  moduleSpecifier !== undefined &&
  ts.isStringLiteral(moduleSpecifier) &&
  /(^|\/)generated\//.test(moduleSpecifier.text)

const extendsError = (node: ts.ClassLikeDeclaration): boolean =>
  (node.heritageClauses ?? []).some(({ types }) =>
    types.some(({ expression }) => ts.isIdentifier(expression) && /Error$/.test(expression.text)),
  )

const asksTheTime = (path: string): boolean =>
  isServerSource(path) && !isBrowserScript(path) && path !== CLOCK

/** What reaches around the service's own settings, clock, chance and output. */
export const ambientRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'process-env',
    fix: `read it in ${SETTINGS} and pass the setting on`,
    covers: (path) => path !== SETTINGS && !isTest(path) && !isScript(path),
    breaks: (node) =>
      isMember(node, 'process', 'env') ||
      importsName(node, /^(node:)?process$/, 'env') ||
      (ts.isVariableDeclaration(node) &&
        isNamed(node.initializer, 'process') &&
        ts.isObjectBindingPattern(node.name) &&
        node.name.elements.some(({ propertyName, name }) => isNamed(propertyName ?? name, 'env'))),
  },
  {
    kind: 'node',
    name: 'node-env',
    fix: `decide in ${SETTINGS} and pass the decision on; nothing behaves otherwise under test`,
    covers: (path) => ![SETTINGS, SETTING_ROW].includes(path) && !isTest(path) && !isScript(path),
    breaks: (node) => isNamed(node, 'NODE_ENV') || /\bNODE_ENV\b/.test(literalText(node) ?? ''),
  },
  {
    kind: 'node',
    name: 'one-clock',
    fix: `take the instant from the work (\`work.now\`) or the clock; only ${CLOCK} asks the machine`,
    covers: asksTheTime,
    breaks: (node) =>
      isMember(node, 'Date', 'now') ||
      (ts.isNewExpression(node) &&
        isNamed(node.expression, 'Date') &&
        (node.arguments ?? []).length === 0) ||
      (ts.isCallExpression(node) && isNamed(node.expression, 'Date')),
  },
  {
    kind: 'node',
    name: 'stopwatch',
    fix: 'measure durations in infra (the operation, the job runner); they decide nothing elsewhere',
    covers: (path) => asksTheTime(path) && !inLayer(path, 'infra'),
    breaks: (node) => isMember(node, 'performance', 'now') || isMember(node, 'process', 'hrtime'),
  },
  {
    kind: 'node',
    name: 'math-random',
    fix: 'use node:crypto; in tests a seeded generator whose seed is printed',
    covers: everywhere,
    breaks: (node) => isMember(node, 'Math', 'random'),
  },
  {
    kind: 'node',
    name: 'no-console',
    fix: 'log through the work or the dependencies; only commands print',
    covers: (path) => !isScript(path) && !(inLayer(path, 'bin', 'operator') && !isTest(path)),
    breaks: (node) => isMember(node, 'console'),
  },
]

const inMoneyCode = (path: string): boolean =>
  isServerSource(path) && inLayer(path, 'features', 'ledger')

/** What keeps floating point away from money and refusals inside the catalogue. */
export const moneyRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'float-arithmetic',
    fix: 'compute with bigint through kernel/money/money.ts and cross to numbers only in kernel/money/wire-money.ts',
    covers: inMoneyCode,
    breaks: (node) =>
      isMember(node, 'Math') ||
      (isNamed(node, 'parseFloat', 'toFixed') && !isDeclaredName(node)) ||
      isNumberConversion(node),
  },
  {
    kind: 'node',
    name: 'plain-error',
    fix: "refuse with fail('CODE') or state a bug with invariant(condition, 'sentence')",
    covers: (path) => isServerSource(path) && inLayer(path, 'features'),
    breaks: (node) =>
      ts.isThrowStatement(node) &&
      ts.isNewExpression(node.expression) &&
      ts.isIdentifier(node.expression.expression) &&
      /^(Error|(Type|Range|Syntax|Aggregate)Error)$/.test(node.expression.expression.text),
  },
]

const TRAITS = 'server/src/kernel/platform-traits.ts'
/** Where an environment is defined, becomes traits or decides on a provider; and who makes the first platform. */
const NAMES_ENVIRONMENTS =
  /^server\/src\/(kernel\/(platform|platform-traits|ports)\.ts|infra\/providers\/.*|app\/first-platform\.ts)$/

/** What keeps the difference between sandbox and production in one place. */
export const environmentRules: readonly NodeRule[] = [
  {
    kind: 'node',
    name: 'environment-compared',
    fix: `ask for a trait (${TRAITS}) or for the provider of a port; lists and defaults are in kernel/platform.ts`,
    covers: (path) => isServerSource(path) && !NAMES_ENVIRONMENTS.test(path),
    breaks: (node) =>
      /^(SANDBOX|PRODUCTION)$|'(SANDBOX|PRODUCTION)'/.test(literalText(node) ?? '') ||
      (isNamed(node, 'SANDBOX', 'PRODUCTION') && (isDeclaredName(node) || isMemberName(node))),
  },
]

/** `Number(x)`, `list.map(Number)`, `new Number(x)`, `+x`; not `Number.isSafeInteger(x)`. */
function isNumberConversion(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) {
    return node.operator === ts.SyntaxKind.PlusToken && !ts.isNumericLiteral(node.operand)
  }
  return (
    isNamed(node, 'Number') && (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent))
  )
}

const isDeclaredName = (node: ts.Node): boolean =>
  ts.isPropertyAssignment(node.parent) && node.parent.name === node

const isMemberName = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
