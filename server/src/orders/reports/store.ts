import { createHash } from 'node:crypto'
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Order, Report } from '../order.ts'

type ReportStatus = 'APPLIED' | 'WAITING' | 'EXCEPTION' | 'DISCARDED'

type SealedStore = Readonly<{ tx: Tx; keyring: Keyring }>

export type StoredReport = Readonly<{
  sequence: number
  digest: Buffer
  status: ReportStatus
  returnId: string | null
  receivedAt: Date
}>

const PURPOSE = 'order-report'
const contextOf = ({ id }: Pick<Order, 'id'>, sequence: number): string => `${id}/${sequence}`

/** Equal for reports of equal content, whatever the order of their members. */
export const digestOf = (content: unknown): Buffer =>
  createHash('sha256').update(canonicalJson(content)).digest()

/** Unlike canonicalJson of crypto/ it accepts any value, as a report may hold ill-formed text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

export const listReports = (
  tx: Tx,
  { platformId, id }: Pick<Order, 'platformId' | 'id'>,
): Promise<StoredReport[]> =>
  tx.many<StoredReport>(
    sql`select sequence, digest, status, return_id, received_at from order_reports
        where platform_id = ${platformId} and order_id = ${id} order by sequence`,
  )

/** Reads the reports with their content, sorted by number, without those whose content is erased (OPER-70). */
export async function readReports(
  { tx, keyring }: SealedStore,
  order: Pick<Order, 'platformId' | 'id'>,
): Promise<(StoredReport & { report: Report })[]> {
  const rows = await tx.many<StoredReport & { content: Buffer }>(
    sql`select sequence, digest, content, status, return_id, received_at from order_reports
        where platform_id = ${order.platformId} and order_id = ${order.id} and content is not null order by sequence`,
  )
  return rows.map(({ content, ...row }) => {
    const text = unseal(keyring, PURPOSE, content, contextOf(order, row.sequence)).toString('utf8')
    return { ...row, report: JSON.parse(text) as Report }
  })
}

export async function insertReport(
  { tx, keyring }: SealedStore,
  order: Order,
  { report, digest, receivedAt }: Readonly<{ report: Report; digest: Buffer; receivedAt: Date }>,
): Promise<void> {
  const { sequence } = report
  const content = seal(keyring, PURPOSE, JSON.stringify(report), contextOf(order, sequence))
  const returnId = report.state === 'RETURNED' ? report.returnId : null
  await tx.run(
    sql`insert into order_reports (platform_id, order_id, sequence, digest, content, status, return_id, received_at)
        values (${order.platformId}, ${order.id}, ${sequence}, ${digest}, ${content}, 'WAITING', ${returnId},
          ${receivedAt})`,
  )
}

export function setReportStatus(
  tx: Tx,
  { platformId, id }: Order,
  { sequence, status }: Readonly<{ sequence: number; status: ReportStatus }>,
): void {
  tx.queueWrite(
    sql`update order_reports set status = ${status}
        where platform_id = ${platformId} and order_id = ${id} and sequence = ${sequence}`,
  )
}
