import ts from 'typescript'
import type { Column } from './describe-statements.ts'

/** What the driver makes of a column (server/src/infra/db/statement/rows.ts). */
const BASES: Readonly<Record<string, string>> = {
  ...{ text: 'string', varchar: 'string', bpchar: 'string', name: 'string', uuid: 'string' },
  ...{ date: 'string', numeric: 'string', pg_lsn: 'string', unknown: 'string' },
  ...{ int2: 'number', int4: 'number', float4: 'number', float8: 'number', oid: 'number' },
  ...{ int8: 'bigint', bool: 'boolean', timestamptz: 'Date', bytea: 'Buffer' },
  ...{ json: 'JSON', jsonb: 'JSON' },
}

/** A claim about the rows of a statement that does not hold, in words. */
export type Mismatch = Readonly<{ column: string; problem: string }>

export function compareRow(
  checker: ts.TypeChecker,
  row: ts.Type,
  statement: Readonly<{ text: string; columns: readonly Column[] }>,
): Mismatch[] {
  const byName = new Map(statement.columns.map((column) => [column.name, column]))
  return propertiesOf(checker, row).flatMap((property) => {
    const column = byName.get(property.name)
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const problems = column
      ? problemsOf(checker, checker.getTypeOfSymbol(property), { column, text: statement.text })
      : isOptional
        ? []
        : ['is claimed, but no column']
    return problems.map((problem) => ({ column: property.name, problem }))
  })
}

const ANYTHING = ts.TypeFlags.Unknown | ts.TypeFlags.Any

function propertiesOf(checker: ts.TypeChecker, row: ts.Type): ts.Symbol[] {
  if (row.isUnion()) return row.types.flatMap((type) => propertiesOf(checker, type))
  return row.flags & ANYTHING ? [] : checker.getPropertiesOfType(row)
}

function problemsOf(
  checker: ts.TypeChecker,
  claimed: ts.Type,
  { column, text }: Readonly<{ column: Column; text: string }>,
): string[] {
  if (claimed.flags & ANYTHING) return []
  const types = claimed.isUnion() ? claimed.types : [claimed]
  const mayBeNull = types.some(({ flags }) => flags & ts.TypeFlags.Null)
  const wrong = types
    .filter(({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)))
    .filter((type) => !fits(checker, type, column.type))
    .map((type) => `is ${column.type}, and claimed to be ${checker.typeToString(type)}`)
  return mayBeNull || !isNullable(column, text)
    ? wrong
    : [...wrong, 'can be null, which is not claimed']
}

function fits(checker: ts.TypeChecker, type: ts.Type, columnType: string): boolean {
  if (columnType.startsWith('_')) {
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
    if (!element || !checker.isArrayLikeType(type)) return false
    const elements = element.isUnion() ? element.types : [element]
    return elements.every((each) => fits(checker, each, columnType.slice(1)))
  }
  switch (BASES[columnType]) {
    case 'string':
      return checker.isTypeAssignableTo(type, checker.getStringType())
    case 'number':
      return checker.isTypeAssignableTo(type, checker.getNumberType())
    case 'bigint':
      return checker.isTypeAssignableTo(type, checker.getBigIntType())
    case 'boolean':
      return checker.isTypeAssignableTo(type, checker.getBooleanType())
    case 'JSON':
      return (
        !['Date', 'Buffer'].includes(type.symbol?.name) && !(type.flags & ts.TypeFlags.BigIntLike)
      )
    case undefined:
      return false
    default:
      return type.symbol?.name === BASES[columnType]
  }
}

/**
 * Of a column of a table: whether it may be empty there, or its table be missing in a left join. That the statement
 * itself asks for those that are not empty is seen by its words.
 */
function isNullable({ source }: Column, text: string): boolean {
  if (!source) return false
  const { table, column } = source
  if (new RegExp(`\\b${column} is not null`).test(text)) return false
  const uses = [
    ...text.matchAll(new RegExp(`(left )?\\b(?:from|join|into|update) ${table}\\b`, 'g')),
  ]
  const isOnlyLeft = uses.length > 0 && uses.every(([, left]) => left !== undefined)
  return source.isNullable || isOnlyLeft
}
