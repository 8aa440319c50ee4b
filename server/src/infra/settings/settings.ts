/**
 * Every setting of the service, read once at start from the environment and from `.env` in the
 * working directory; the environment wins (CORE-82).
 *
 * To add a setting, add one row to TABLE together with the code that reads it: the Settings type,
 * the validation and the README's table (`npm run generate`) follow from the row. A value that
 * needs a form of its own gets it in setting-kinds.ts.
 */
import { join } from 'node:path'
import { onlyGiven, readEnvFile, type Texts } from './given-texts.ts'
import * as kinds from './setting-kinds.ts'
import { KEY_SETTINGS } from './key-settings.ts'
import { oidcProblems, OPERATOR_SETTINGS } from './operator-settings.ts'
import { isProduction, optional, setting } from './setting.ts'
import type { Setting, WithDefault } from './setting.ts'
import { fetchMasterKey } from './master-key-source.ts'
import { TRACING_SETTINGS } from './tracing-settings.ts'
import { SettingsError } from './settings-error.ts'

export { SettingsError } from './settings-error.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const RATE_MAX = 1_000_000

/** In development the embedded database serves one developer's sandbox, which nobody has to guard from its owner. */
function limitUnlessEmbedded(texts: Texts): string {
  const isWanted = ['DATABASE_URL', 'RATE_LIMIT_BURST'].some((name) => texts[name] !== undefined)
  return isWanted || isProduction(texts) ? '200' : '0'
}

const publicUrlOn = (port: number | string): string => `http://127.0.0.1:${port}`

const TABLE = {
  port: setting({
    name: 'PORT',
    kind: kinds.port,
    default: '8080',
    about: 'Port of the API; 0 takes any free one.',
  }),
  host: setting({
    name: 'HOST',
    kind: kinds.host,
    default: '127.0.0.1',
    about: 'Address on which the API listens.',
  }),
  adminPort: setting({
    name: 'ADMIN_PORT',
    kind: kinds.port,
    default: '8081',
    about: 'Port of the admin listener (the dashboard and `/metrics`); 0 turns it off.',
  }),
  adminHost: setting({
    name: 'ADMIN_HOST',
    kind: kinds.host,
    default: '127.0.0.1',
    about: 'Address on which the admin listener listens.',
  }),
  adminUrl: optional({
    name: 'ADMIN_URL',
    kind: kinds.ownOrigin,
    about:
      'Address under which operators reach the dashboard, where a proxy stands before the admin listener.',
  }),
  databaseUrl: optional({
    name: 'DATABASE_URL',
    kind: kinds.postgresUrl,
    about: 'PostgreSQL 15 or newer. Without it an embedded PostgreSQL runs in `DATA_DIR`.',
  }),
  databaseOwnerUrl: optional({
    name: 'DATABASE_OWNER_URL',
    kind: kinds.postgresUrl,
    about:
      'The same database as the role that owns its tables, for migrations; then the role in `DATABASE_URL` cannot change audit entries.',
  }),
  databasePoolSize: setting({
    name: 'DATABASE_POOL_SIZE',
    kind: kinds.wholeNumber({ min: 2, max: 200 }),
    default: '10',
    about: 'Database connections of one process, at most.',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    kind: kinds.folder,
    default: './data',
    about:
      'Folder of the embedded database, uploaded files and development keys. Where several machines serve one database it is a shared one.',
  }),
  backupMaxAgeHours: setting({
    name: 'BACKUP_MAX_AGE_HOURS',
    kind: kinds.wholeNumber({ min: 1, max: 8_760 }),
    default: '26',
    about:
      'In production `florin doctor` is not ok while the last `florin backup` of the embedded database is older.',
  }),
  retentionCustomerYears: setting({
    name: 'RETENTION_CUSTOMER_YEARS',
    kind: kinds.wholeNumber({ min: 5, max: 10 }),
    default: '5',
    about:
      'Years for which the data of a customer is kept after its deletion or rejection; then it may be erased.',
  }),
  retentionErase: setting({
    name: 'RETENTION_ERASE',
    kind: kinds.oneOf(['manual', 'automatic']),
    default: 'manual',
    about:
      'Whether customers are erased by themselves when their years are over; else `florin customers list --erasable` lists them.',
  }),
  retentionOrdersDays: setting({
    name: 'RETENTION_ORDERS_DAYS',
    kind: kinds.wholeNumber({ min: 30, max: 3_650 }),
    default: '400',
    about: 'Days after which what was sent to and said by providers about a final order is erased.',
  }),
  retentionAuditNotesYears: setting({
    name: 'RETENTION_AUDIT_NOTES_YEARS',
    kind: kinds.wholeNumber({ min: 1, max: 30 }),
    default: '10',
    about: 'Years after which the notes of audit entries are erased; the entries stay.',
  }),
  requestLogDays: setting({
    name: 'REQUEST_LOG_DAYS',
    kind: kinds.wholeNumber({ min: 0, max: 90 }),
    default: '7',
    about: 'Days for which `florin requests` shows what the API was asked; 0 keeps nothing.',
  }),
  requestLogRows: setting({
    name: 'REQUEST_LOG_ROWS',
    kind: kinds.wholeNumber({ min: 1_000, max: 100_000_000 }),
    default: '1000000',
    about: 'Requests of one platform that are kept at most; older ones go first.',
  }),
  auditSinkFile: optional({
    name: 'AUDIT_SINK_FILE',
    alternatives: ['AUDIT_SINK_URL'],
    kind: kinds.path,
    about: 'File to which every audit entry is appended as a JSON line.',
  }),
  auditSinkUrl: optional({
    name: 'AUDIT_SINK_URL',
    kind: kinds.baseUrl,
    about:
      'Address to which audit entries are sent as JSON lines, signed with `AUDIT_SINK_SECRET`; in place of `AUDIT_SINK_FILE`.',
  }),
  auditSinkSecret: optional({
    name: 'AUDIT_SINK_SECRET',
    kind: kinds.signingSecret,
    about: 'Secret that signs what goes to `AUDIT_SINK_URL`.',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    kind: kinds.baseUrl,
    default: (texts) => publicUrlOn(texts['PORT'] ?? '8080'),
    defaultShown: '`http://127.0.0.1:PORT`',
    requiredInProduction: true,
    about: 'Address under which clients reach the service, as it appears in links.',
  }),
  cardEmbedUrl: optional({
    name: 'CARD_EMBED_URL',
    kind: kinds.baseUrl,
    about: 'Address of the page that shows card numbers, where it is not `PUBLIC_URL`.',
  }),
  ...KEY_SETTINGS,
  wireBrand: setting({
    name: 'WIRE_BRAND',
    alias: 'HEADER_BRAND',
    kind: kinds.brandWord,
    default: 'Service',
    about:
      'Word in the names of headers, fields and values, as in `X-Service-Signature`, `serviceOperationsStatus` and `SERVICE_INTERNAL_ACCOUNT`. `HEADER_BRAND` is another name of this setting.',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    kind: kinds.oneOf(LOG_LEVELS),
    default: 'info',
    about: 'Least severe level that is logged.',
  }),
  logFormat: setting({
    name: 'LOG_FORMAT',
    kind: kinds.oneOf(['auto', 'json', 'text']),
    default: 'auto',
    about:
      'Whether log lines are JSON or short text for a person; `auto` writes text in development, to a terminal.',
  }),
  rateLimitPerSecond: setting({
    name: 'RATE_LIMIT_PER_SECOND',
    kind: kinds.wholeNumber({ min: 0, max: RATE_MAX }),
    default: limitUnlessEmbedded,
    defaultShown:
      '`200`; `0` on the embedded database in development, unless `RATE_LIMIT_BURST` is given',
    about: 'Requests per second of one API token; 0 turns the limit off.',
  }),
  rateLimitBurst: setting({
    name: 'RATE_LIMIT_BURST',
    kind: kinds.wholeNumber({ min: 0, max: RATE_MAX }),
    default: '400',
    about: 'Requests that one API token may send at once; 0 turns the limit off.',
  }),
  rateLimitFailedAuthPerMinute: setting({
    name: 'RATE_LIMIT_FAILED_AUTH_PER_MINUTE',
    kind: kinds.wholeNumber({ min: 0, max: RATE_MAX }),
    default: '20',
    about: 'Failed authentications per minute from one address; 0 turns the limit off.',
  }),
  rateLimitAnonymousPerSecond: setting({
    name: 'RATE_LIMIT_ANONYMOUS_PER_SECOND',
    kind: kinds.wholeNumber({ min: 0, max: RATE_MAX }),
    default: (texts) => (texts['DATABASE_URL'] !== undefined || isProduction(texts) ? '50' : '0'),
    defaultShown: '`50`; `0` on the embedded database in development',
    about:
      'Requests per second from one address that carry no credentials or wrong ones, in each process, with bursts of four times as many; 0 turns the limit off.',
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    kind: kinds.addressRanges,
    default: '',
    defaultShown: 'none',
    about:
      'Addresses or ranges (`10.0.0.0/8`) of the proxies before the API, separated by commas. What one of them says in `X-Forwarded-For` is believed: by it failed authentications are limited and audit entries written.',
  }),
  umaDomain: setting({
    name: 'UMA_DOMAIN',
    kind: kinds.domain,
    default: 'uma.localhost',
    about: 'Domain below which each platform has its UMA subdomain.',
  }),
  sandboxUmaDomains: setting({
    name: 'SANDBOX_UMA_DOMAIN',
    kind: kinds.domains,
    default: 'sandbox.uma.test',
    about:
      'Domains of the UMA counterparties that the sandbox plays, separated by commas; each works alike, and the first is shown in the directory.',
  }),
  quoteTtlSeconds: setting({
    name: 'QUOTE_TTL_SECONDS',
    kind: kinds.wholeNumber({ min: 10, max: 86_400 }),
    default: '300',
    about: 'How long the price of a quote holds.',
  }),
  quoteTtlApprovalSeconds: setting({
    name: 'QUOTE_TTL_APPROVAL_SECONDS',
    kind: kinds.wholeNumber({ min: 300, max: 86_400 }),
    default: '3600',
    about: "How long the price of an agent's quote holds that the platform has to approve.",
  }),
  agentTokenTtlDays: setting({
    name: 'AGENT_TOKEN_TTL_DAYS',
    kind: kinds.wholeNumber({ min: 1, max: 365 }),
    default: '90',
    about: "How long an agent's access token is valid from its redemption on.",
  }),
  legalName: setting({
    name: 'LEGAL_NAME',
    kind: kinds.legalName,
    default: 'Florin Sandbox',
    about:
      'Legal name of the company that runs the service, as holder of the accounts that are paid into.',
  }),
  smtpUrl: optional({
    name: 'SMTP_URL',
    kind: kinds.smtpUrl,
    about: 'Mail server for e-mail codes of production platforms; without it they are not offered.',
  }),
  emailFrom: setting({
    name: 'EMAIL_FROM',
    kind: kinds.emailAddress,
    default: (texts) => `no-reply@${URL.parse(texts['PUBLIC_URL'] ?? '')?.hostname ?? 'localhost'}`,
    defaultShown: '`no-reply@` and the host of `PUBLIC_URL` where that is given, else `localhost`',
    about: 'Sender of e-mails.',
  }),
  smsGatewayUrl: optional({
    name: 'SMS_GATEWAY_URL',
    kind: kinds.gatewayUrl,
    about:
      'Gateway for SMS codes of production platforms: it is sent `POST {"to", "text"}` and answers 2xx. Without it they are not offered.',
  }),
  oidcIssuers: setting({
    name: 'OIDC_ISSUERS',
    kind: kinds.issuers,
    default: '',
    defaultShown: 'none',
    about:
      'Issuers of OIDC tokens that wallets take besides Google and Apple, separated by commas, each as it writes itself in `iss`. They may be on a private address.',
  }),
  sandboxLoopback: setting({
    name: 'SANDBOX_LOOPBACK',
    kind: kinds.oneOf(['true', 'false']),
    default: (texts) => (isProduction(texts) ? 'false' : 'true'),
    defaultShown: '`true`, in production `false`',
    about:
      'Whether webhooks and other calls of sandbox platforms may go to addresses of this machine; never to the ports of the service itself.',
  }),
  ...TRACING_SETTINGS,
  ...OPERATOR_SETTINGS,
  production: setting({
    name: 'NODE_ENV',
    kind: kinds.flagFor('production'),
    default: 'development',
    about: 'In `production` nothing is made up: what the table marks as required has to be given.',
  }),
}

type ValueOf<Row> =
  Row extends WithDefault<infer T> ? T : Row extends Setting<infer T> ? T | undefined : never

export type Settings = Readonly<{ [K in keyof typeof TABLE]: ValueOf<(typeof TABLE)[K]> }>

/** How each setting is called in the environment. */
export const settingNames = Object.fromEntries(
  Object.entries(TABLE).map(([key, { name }]) => [key, name]),
) as Readonly<Record<keyof Settings, string>>

/** Throws a SettingsError that lists every problem at once. */
export function loadSettings(
  env: Texts = process.env,
  { cwd }: { cwd: string } = { cwd: process.cwd() },
): Settings {
  const problems: string[] = []
  const texts = onlyGiven({ ...readEnvFile(join(cwd, '.env'), problems), ...onlyGiven(env) })

  const values = Object.entries(TABLE).map(([key, row]: [string, Setting<unknown>]) => {
    const names = [row.name, row.alias ?? row.name]
    const name = names.find((one) => texts[one] !== undefined) ?? row.name
    const given = texts[name]
    const ways = [row.name, ...(row.alternatives ?? [])]
    const waysGiven = ways.filter((one) => texts[one] !== undefined)
    if (isGivenTwice(row, texts)) problems.push(wordConflict(row))
    if (row.alternatives && waysGiven.length > 1)
      problems.push(`${waysGiven.join(' and ')} are both given: give exactly one of them.`)
    if (waysGiven.length === 0 && isProduction(texts) && row.requiredInProduction) {
      problems.push(wordMissing(row))
      return [key, undefined]
    }
    const text = given ?? (typeof row.default === 'function' ? row.default(texts) : row.default)
    const value = text === undefined ? undefined : row.kind.parse(text, cwd)
    if (given !== undefined && value === undefined)
      problems.push(wordProblem({ ...row, name }, given))
    return [key, value]
  })

  const settings = Object.fromEntries(values) as Settings
  problems.push(...oidcProblems(texts, settings))
  const masterKey =
    settings.masterKey ?? fetchMasterKey(settings, { env: withoutSecrets(env), problems })
  if (settings.auditSinkUrl !== undefined && settings.auditSinkSecret === undefined)
    problems.push('AUDIT_SINK_URL needs AUDIT_SINK_SECRET: what is sent there is signed.')
  if (problems.length > 0) throw new SettingsError(problems)
  return Object.freeze({ ...settings, masterKey })
}

function withoutSecrets(env: Texts): Texts {
  const rows: readonly Setting<unknown>[] = Object.values(TABLE)
  const secrets = rows.filter(({ kind }) => kind.isSecret).map(({ name }) => name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)))
}

/** Once a free port was found: links lead there, unless an address was given for them. */
export function onPort(settings: Settings, port: number): Settings {
  const isGiven = settings.publicUrl !== publicUrlOn(settings.port)
  return { ...settings, port, publicUrl: isGiven ? settings.publicUrl : publicUrlOn(port) }
}

const isGivenTwice = ({ name, alias = name }: Setting<unknown>, texts: Texts): boolean =>
  texts[name] !== undefined && texts[alias] !== undefined && texts[name] !== texts[alias]

const wordConflict = ({ name, alias }: Setting<unknown>): string =>
  `${alias} is another name of ${name}: give one of them, or the same value to both.`

const wordMissing = ({ name, alternatives = [], kind }: Setting<unknown>): string =>
  `${[name, ...alternatives].join(' or ')} is required in production: ${kind.form}.`

function wordProblem(row: Setting<unknown>, given: string): string {
  const repeated = row.kind.isSecret ? '' : `, not ${JSON.stringify(given)}`
  return `${row.name} must be ${row.kind.form}${repeated}.`
}

/** The README's table, in Markdown. */
export function renderSettingsTable(): string {
  const rows = Object.values(TABLE).map((row: Setting<unknown>) => {
    const shown =
      row.defaultShown ?? (row.default === undefined ? 'none' : `\`${String(row.default)}\``)
    const others = (row.alternatives ?? []).map((name) => `, or \`${name}\``).join('')
    const needed = row.requiredInProduction
      ? `${shown}; **required in production**${others}`
      : shown
    return `| \`${row.name}\` | ${row.kind.label} | ${needed} | ${row.about} |`
  })
  return ['| Setting | Form | Default | Meaning |', '|-|-|-|-|', ...rows, ''].join('\n')
}
