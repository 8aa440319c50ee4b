import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SettingsError, loadSettings, renderSettingsTable } from './settings.ts'

const root = mkdtempSync(join(tmpdir(), 'florin-settings-'))
after(() => rmSync(root, { recursive: true }))

const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

function problemsOf(env: Record<string, string | undefined>, cwd = root): readonly string[] {
  try {
    loadSettings(env, { cwd })
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

function folderWithEnvFile(name: string, content: string): string {
  const cwd = join(root, name)
  mkdirSync(cwd)
  writeFileSync(join(cwd, '.env'), content)
  return cwd
}

test('CORE-82 without any setting the service runs with these defaults', () => {
  assert.deepEqual(loadSettings({}, { cwd: root }), {
    port: 8080,
    host: '127.0.0.1',
    adminPort: 8081,
    adminHost: '127.0.0.1',
    adminUrl: undefined,
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    databasePoolSize: 10,
    dataDir: join(root, 'data'),
    backupMaxAgeHours: 26,
    retentionCustomerYears: 5,
    auditSinkFile: undefined,
    auditSinkUrl: undefined,
    auditSinkSecret: undefined,
    retentionErase: 'manual',
    retentionOrdersDays: 400,
    retentionAuditNotesYears: 10,
    publicUrl: 'http://127.0.0.1:8080',
    cardEmbedUrl: undefined,
    masterKey: undefined,
    masterKeyFile: undefined,
    masterKeyCommand: undefined,
    sealContactData: 'off',
    requestLogDays: 7,
    requestLogRows: 1_000_000,
    wireBrand: 'Service',
    logFormat: 'auto',
    logLevel: 'info',
    rateLimitPerSecond: 0,
    rateLimitBurst: 400,
    rateLimitFailedAuthPerMinute: 20,
    rateLimitAnonymousPerSecond: 0,
    trustedProxies: [],
    umaDomain: 'uma.localhost',
    sandboxUmaDomains: ['sandbox.uma.test'],
    quoteTtlSeconds: 300,
    quoteTtlApprovalSeconds: 3600,
    agentTokenTtlDays: 90,
    legalName: 'Florin Sandbox',
    smtpUrl: undefined,
    emailFrom: 'no-reply@localhost',
    smsGatewayUrl: undefined,
    oidcIssuers: [],
    sandboxLoopback: 'true',
    otlpEndpoint: undefined,
    otlpHeaders: {},
    otlpServiceName: 'florin',
    traceShare: 1,
    operatorCli: 'open',
    operatorToken: undefined,
    operatorLinks: 'on',
    fourEyes: 'off',
    fourEyesFrom: 0n,
    operatorOidcIssuer: undefined,
    operatorOidcClientId: undefined,
    operatorOidcClientSecret: undefined,
    operatorOidcScopes: ['openid', 'profile', 'email'],
    operatorOidcGroupsClaim: 'groups',
    operatorOidcRoles: [],
    operatorOidcAcr: undefined,
    production: false,
  })
})

/** A value other than the default for each setting. */
const EVERYTHING = {
  PORT: '0',
  HOST: '::',
  ADMIN_PORT: '0',
  ADMIN_HOST: '10.0.0.7',
  ADMIN_URL: 'https://ops.example.com/',
  DATABASE_URL: 'postgres://florin:pw@db:5432/florin',
  DATABASE_OWNER_URL: 'postgres://owner:pw@db:5432/florin',
  DATABASE_POOL_SIZE: '8',
  DATA_DIR: '/var/lib/florin',
  BACKUP_MAX_AGE_HOURS: '8',
  AUDIT_SINK_URL: 'https://siem.example.com/audit',
  AUDIT_SINK_SECRET: `whsec_${KEY}=`,
  RETENTION_CUSTOMER_YEARS: '7',
  RETENTION_ERASE: 'automatic',
  RETENTION_ORDERS_DAYS: '100',
  RETENTION_AUDIT_NOTES_YEARS: '6',
  PUBLIC_URL: 'https://pay.example.com/base/',
  CARD_EMBED_URL: 'https://cards.example.com',
  MASTER_KEY: `2026:${KEY}`,
  SEAL_CONTACT_DATA: 'on',
  WIRE_BRAND: 'AcmePay2',
  LOG_LEVEL: 'debug',
  LOG_FORMAT: 'json',
  RATE_LIMIT_PER_SECOND: '50',
  RATE_LIMIT_BURST: '75',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_SECOND: '7',
  TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.168.1.7',
  UMA_DOMAIN: 'uma.example.com',
  SANDBOX_UMA_DOMAIN: ' Play.example.com,, sandbox.uma.test , play.example.com',
  QUOTE_TTL_SECONDS: '60',
  QUOTE_TTL_APPROVAL_SECONDS: '600',
  AGENT_TOKEN_TTL_DAYS: '30',
  LEGAL_NAME: 'Crédit Exemple S.A.',
  SMTP_URL: 'smtps://user:pw@mail.example.com:465',
  EMAIL_FROM: 'Crédit Exemple <no-reply@example.com>',
  SMS_GATEWAY_URL: 'https://user:pw@sms.example.com/send',
  OIDC_ISSUERS: 'https://login.example.com/, http://localhost:3000',
  SANDBOX_LOOPBACK: 'true',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a b=c, authorization=Bearer x',
  OTEL_SERVICE_NAME: 'pay',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
  OPERATOR_CLI: 'open',
  FLORIN_OPERATOR_TOKEN: 'flop_x',
  OPERATOR_LINKS: 'off',
  FOUR_EYES: 'off',
  FOUR_EYES_FROM: 'USD:100000',
  OPERATOR_OIDC_ISSUER: 'https://login.example.com/realms/ops',
  OPERATOR_OIDC_CLIENT_ID: 'florin',
  OPERATOR_OIDC_CLIENT_SECRET: 'a secret',
  OPERATOR_OIDC_SCOPES: 'openid  groups',
  OPERATOR_OIDC_GROUPS_CLAIM: 'https://example.com/groups',
  OPERATOR_OIDC_ROLES: 'pay-admins=ADMIN, cn=ops=TREASURER+REVIEWER',
  OPERATOR_OIDC_ACR: 'urn:example:mfa, hardware',
  NODE_ENV: 'production',
}

test('CORE-82 every setting is taken from the environment', () => {
  assert.deepEqual(loadSettings(EVERYTHING, { cwd: root }), {
    port: 0,
    host: '::',
    adminPort: 0,
    adminHost: '10.0.0.7',
    adminUrl: 'https://ops.example.com',
    databaseUrl: 'postgres://florin:pw@db:5432/florin',
    databaseOwnerUrl: 'postgres://owner:pw@db:5432/florin',
    databasePoolSize: 8,
    dataDir: '/var/lib/florin',
    backupMaxAgeHours: 8,
    auditSinkFile: undefined,
    auditSinkUrl: 'https://siem.example.com/audit',
    auditSinkSecret: `whsec_${KEY}=`,
    retentionCustomerYears: 7,
    retentionErase: 'automatic',
    retentionOrdersDays: 100,
    retentionAuditNotesYears: 6,
    publicUrl: 'https://pay.example.com/base',
    cardEmbedUrl: 'https://cards.example.com',
    masterKey: `2026:${KEY}`,
    masterKeyFile: undefined,
    masterKeyCommand: undefined,
    sealContactData: 'on',
    requestLogDays: 7,
    requestLogRows: 1_000_000,
    wireBrand: 'AcmePay2',
    logFormat: 'json',
    logLevel: 'debug',
    rateLimitPerSecond: 50,
    rateLimitBurst: 75,
    rateLimitFailedAuthPerMinute: 0,
    rateLimitAnonymousPerSecond: 7,
    trustedProxies: ['10.0.0.0/8', '::1', '192.168.1.7'],
    umaDomain: 'uma.example.com',
    sandboxUmaDomains: ['play.example.com', 'sandbox.uma.test'],
    quoteTtlSeconds: 60,
    quoteTtlApprovalSeconds: 600,
    agentTokenTtlDays: 30,
    legalName: 'Crédit Exemple S.A.',
    smtpUrl: 'smtps://user:pw@mail.example.com:465',
    emailFrom: 'Crédit Exemple <no-reply@example.com>',
    smsGatewayUrl: 'https://user:pw@sms.example.com/send',
    oidcIssuers: ['https://login.example.com/', 'http://localhost:3000'],
    sandboxLoopback: 'true',
    operatorCli: 'open',
    operatorToken: 'flop_x',
    otlpEndpoint: 'http://collector:4318',
    otlpHeaders: { 'x-key': 'a b=c', authorization: 'Bearer x' },
    otlpServiceName: 'pay',
    traceShare: 0.05,
    operatorLinks: 'off',
    fourEyes: 'off',
    fourEyesFrom: 100_000n,
    operatorOidcIssuer: 'https://login.example.com/realms/ops',
    operatorOidcClientId: 'florin',
    operatorOidcClientSecret: 'a secret',
    operatorOidcScopes: ['openid', 'groups'],
    operatorOidcGroupsClaim: 'https://example.com/groups',
    operatorOidcRoles: [
      { group: 'pay-admins', roles: ['ADMIN'] },
      { group: 'cn=ops', roles: ['REVIEWER', 'TREASURER'] },
    ],
    operatorOidcAcr: ['urn:example:mfa', 'hardware'],
    production: true,
  })
})

test('CORE-94 sandbox calls reach this machine in development only, unless told otherwise', () => {
  const production = {
    NODE_ENV: 'production',
    MASTER_KEY: KEY,
    PUBLIC_URL: 'https://pay.example.com',
  }
  assert.equal(loadSettings(production, { cwd: root }).sandboxLoopback, 'false')
  assert.equal(loadSettings({ SANDBOX_LOOPBACK: 'false' }, { cwd: root }).sandboxLoopback, 'false')
})

test('CORE-84 the admin listener is on 127.0.0.1:8081 unless told otherwise, and 0 turns it off', () => {
  const { adminHost, adminPort } = loadSettings({ HOST: '0.0.0.0' }, { cwd: root })
  assert.deepEqual({ adminHost, adminPort }, { adminHost: '127.0.0.1', adminPort: 8081 })
  assert.equal(loadSettings({ ADMIN_PORT: '0' }, { cwd: root }).adminPort, 0)
})

test('CORE-82 the default of PUBLIC_URL follows PORT', () => {
  assert.equal(loadSettings({ PORT: '9000' }, { cwd: root }).publicUrl, 'http://127.0.0.1:9000')
})

test('CORE-82 mail is sent from the host of PUBLIC_URL unless EMAIL_FROM says otherwise', () => {
  const from = (env: Record<string, string>) => loadSettings(env, { cwd: root }).emailFrom
  assert.equal(from({ PUBLIC_URL: 'https://pay.example.com/x' }), 'no-reply@pay.example.com')
  assert.equal(from({ EMAIL_FROM: 'Acme Pay <pay@acme.example>' }), 'Acme Pay <pay@acme.example>')
  for (const wrong of ['acme', '<pay@acme.example', 'pay@acme.example>', 'a@b@c', 'x\n<a@b.c>']) {
    assert.equal(problemsOf({ EMAIL_FROM: wrong }).length, 1, wrong)
  }
})

test('CORE-91 addresses that may hold a password are not repeated in a problem', () => {
  for (const name of ['SMTP_URL', 'SMS_GATEWAY_URL']) {
    const [problem = ''] = problemsOf({ [name]: 'ftp://user:hunter2@host' })
    assert.ok(problem.startsWith(name) && !problem.includes('hunter2'), problem)
  }
})

test('CORE-25 the limit per token is 200 a second with bursts of 400, off on the embedded database', () => {
  const shared = loadSettings({ DATABASE_URL: 'postgres://db/florin' }, { cwd: root })
  assert.equal(shared.rateLimitPerSecond, 200)
  assert.equal(shared.rateLimitBurst, 400)
  const embedded = loadSettings({ RATE_LIMIT_PER_SECOND: '5' }, { cwd: root })
  assert.equal(embedded.rateLimitPerSecond, 5, 'a value that is set counts')
  assert.equal(embedded.rateLimitBurst, 400)
  const burst = loadSettings({ RATE_LIMIT_BURST: '9' }, { cwd: root })
  assert.equal(burst.rateLimitPerSecond, 200, 'a burst alone asks for the limit too')
  const production = { NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'https://pay.example' }
  const small = loadSettings(production, { cwd: root })
  assert.equal(small.rateLimitPerSecond, 200, 'also for a small installation')
})

test('CORE-82 every problem is listed at once', () => {
  const problems = problemsOf({ PORT: 'http', LOG_LEVEL: 'loud', NODE_ENV: 'production' })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['PORT', 'PUBLIC_URL', 'MASTER_KEY', 'LOG_LEVEL'],
  )
  assert.equal(problems[0], 'PORT must be a whole number from 0 to 65535, not "http".')
  const { message } = new SettingsError(problems)
  for (const problem of problems) assert.ok(message.includes(problem))
})

test('CORE-82 values of another form are refused, by name', () => {
  const refused = [
    ['PORT', '-1', 'below 0'],
    ['PORT', '65536', 'above the last port'],
    ['PORT', '80.5', 'not whole'],
    ['PORT', '1e3', 'not in digits'],
    ['PORT', '0x50', 'not in decimal'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'more than all'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer x', 'no name'],
    ['HOST', 'local host', 'a blank'],
    ['HOST', 'http://localhost', 'an address with a scheme'],
    ['DATABASE_URL', 'mysql://db/florin', 'another database'],
    ['DATABASE_URL', 'db:5432', 'no scheme'],
    ['DATABASE_POOL_SIZE', '1', 'one connection cannot serve requests and jobs'],
    ['ADMIN_URL', 'http://ops.example.com', 'a session would travel in the clear'],
    ['ADMIN_URL', 'https://ops.example.com/florin', 'a path'],
    ['ADMIN_URL', 'https://user:pw@ops.example.com', 'credentials'],
    ['ADMIN_URL', 'ops.example.com', 'no scheme'],
    ['PUBLIC_URL', 'pay.example.com', 'no scheme'],
    ['PUBLIC_URL', 'ftp://pay.example.com', 'another scheme'],
    ['PUBLIC_URL', 'https://pay.example.com/?a=1', 'a query'],
    ['PUBLIC_URL', 'https://user:pw@pay.example.com', 'credentials'],
    ['MASTER_KEY', 'short', 'not a key'],
    ['LOG_LEVEL', 'INFO', 'levels are in lower case'],
    ['RATE_LIMIT_BURST', '-5', 'below 0'],
    ['TRUSTED_PROXIES', 'proxy.example.com', 'a name, which others may come to own'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'more bits than an address has'],
    ['TRUSTED_PROXIES', '::1/129', 'more bits than an address has'],
    ['TRUSTED_PROXIES', '10.0.0.1/', 'no bits'],
    ['TRUSTED_PROXIES', '0.0.0.0/0', 'everybody, who could then give themselves any address'],
    ['TRUSTED_PROXIES', '10.0.0.5,::/00', 'everybody'],
    ['TRUSTED_PROXIES', '10.0.0.1/8/8', 'a range of a range'],
    ['TRUSTED_PROXIES', '10.0.0.1;10.0.0.2', 'no comma'],
    ['UMA_DOMAIN', 'UMA.example.com', 'capitals'],
    ['UMA_DOMAIN', '-uma.example', 'a hyphen at the edge'],
    ['UMA_DOMAIN', 'uma..example', 'an empty label'],
    ['SANDBOX_UMA_DOMAIN', ' , ', 'an empty list'],
    ['SANDBOX_UMA_DOMAIN', 'sandbox.uma.test,localhost', 'one label'],
    ['SANDBOX_UMA_DOMAIN', 'sandbox.uma.test;play.example.com', 'no comma'],
    ['LEGAL_NAME', 'a\u0007b', 'a control character'],
  ] as const
  for (const [name, text, why] of refused) {
    const problems = problemsOf({ [name]: text })
    assert.equal(problems.length, 1, `${name} ${why}`)
    assert.ok(problems[0]?.startsWith(`${name} must be `), problems[0])
  }
})

test('CORE-82 addresses of everybody are no proxies, and the word says what may be given', () => {
  const [problem] = problemsOf({ TRUSTED_PROXIES: '0.0.0.0/0' })
  assert.match(problem ?? '', /ranges of at least one bit \(10\.0\.0\.0\/8\).*not "0\.0\.0\.0\/0"/)
})

test('CORE-82 localhost is one address, so that every connection comes in by the same door', () => {
  const { host, adminHost } = loadSettings(
    { HOST: 'localhost', ADMIN_HOST: 'localhost' },
    { cwd: root },
  )
  assert.deepEqual([host, adminHost], ['127.0.0.1', '127.0.0.1'])
})

test('CORE-11 CORE-82 WIRE_BRAND holds what the name of a header, a field and a value may hold', () => {
  for (const brand of ['Acme', 'A', 'AcmePay2', 'ACME', `A${'b'.repeat(31)}`]) {
    for (const name of ['WIRE_BRAND', 'HEADER_BRAND']) {
      assert.equal(loadSettings({ [name]: brand }, { cwd: root }).wireBrand, brand)
    }
  }
  const tooLong = `A${'b'.repeat(32)}`
  for (const brand of [
    'Ac me',
    'Acme:',
    'Acme\r\nX',
    'acme',
    '9to5',
    'Acme-Pay',
    'Äcme',
    tooLong,
  ]) {
    for (const name of ['WIRE_BRAND', 'HEADER_BRAND']) {
      const [problem, ...more] = problemsOf({ [name]: brand })
      assert.ok(problem?.startsWith(`${name} must be`), problem)
      assert.deepEqual(more, [])
    }
  }
})

test('CORE-11 CORE-82 the two names of the brand may both be given, but not with different values', () => {
  const same = { WIRE_BRAND: 'Acme', HEADER_BRAND: 'Acme' }
  assert.equal(loadSettings(same, { cwd: root }).wireBrand, 'Acme')
  const [problem, ...more] = problemsOf({ ...same, HEADER_BRAND: 'Other' })
  assert.match(problem ?? '', /HEADER_BRAND is another name of WIRE_BRAND/)
  assert.deepEqual(more, [])
})

test('CORE-91 a problem with a secret does not repeat it', () => {
  const problems = problemsOf({ MASTER_KEY: 'hunter2', DATABASE_URL: 'my://u:hunter2@db' })
  assert.equal(problems.length, 2)
  assert.ok(!problems.join().includes('hunter2'))
})

test('CORE-82 in production a missing MASTER_KEY or PUBLIC_URL refuses, elsewhere not', () => {
  const complete = {
    NODE_ENV: 'production',
    MASTER_KEY: KEY,
    PUBLIC_URL: 'https://pay.example.com',
  }
  assert.deepEqual(problemsOf(complete), [])
  assert.match(
    String(problemsOf({ ...complete, MASTER_KEY: undefined })),
    /^MASTER_KEY or MASTER_KEY_FILE or MASTER_KEY_COMMAND is required/,
  )
  assert.match(String(problemsOf({ ...complete, PUBLIC_URL: ' ' })), /^PUBLIC_URL is required/)
  assert.deepEqual(problemsOf({ NODE_ENV: 'test' }), [])
})

test('CORE-82 .env is read from the working directory, the environment wins, blanks count as not given', () => {
  const cwd = folderWithEnvFile(
    'with-env-file',
    'PORT=9001\nexport HOST=0.0.0.0\n# a comment\nLEGAL_NAME="Acme Inc."\nHEADER_BRAND=\nDATA_DIR=state\n',
  )
  const settings = loadSettings({ PORT: '9002', HOST: '' }, { cwd })
  assert.equal(settings.port, 9002)
  assert.equal(settings.host, '0.0.0.0')
  assert.equal(settings.legalName, 'Acme Inc.')
  assert.equal(settings.wireBrand, 'Service')
  assert.equal(settings.dataDir, join(cwd, 'state'))
})

test('CORE-82 NODE_ENV counts in .env too', () => {
  const cwd = folderWithEnvFile('production', 'NODE_ENV=production\n')
  assert.equal(problemsOf({}, cwd).length, 2)
})

test('CORE-82 an .env that cannot be read is a problem beside the others', () => {
  const cwd = join(root, 'unreadable')
  mkdirSync(join(cwd, '.env'), { recursive: true })
  const problems = problemsOf({ PORT: 'x' }, cwd)
  assert.equal(problems.length, 2)
  assert.match(String(problems[0]), /\.env cannot be read \(EISDIR\)/)
})

test('CORE-82 the table for the README has one row per setting, with default and meaning', () => {
  const lines = renderSettingsTable().trimEnd().split('\n')
  assert.equal(lines[0], '| Setting | Form | Default | Meaning |')
  assert.equal(lines.length - 2, Object.keys(loadSettings({}, { cwd: root })).length)
  for (const line of lines.slice(2)) assert.equal(line.split(' | ').length, 4, line)
  const names = lines.slice(2).map((line) => /^\| `([A-Z_]+)` \|/.exec(line)?.[1])
  assert.ok(!names.includes(undefined))
  assert.equal(new Set(names).size, names.length)
  assert.ok(lines.includes('| `PORT` | port | `8080` | Port of the API; 0 takes any free one. |'))
  const required = lines.filter((line) => line.includes('**required in production**'))
  assert.deepEqual(
    required.map((line) => line.split('`')[1]),
    ['PUBLIC_URL', 'MASTER_KEY'],
  )
})

test('OPER-55 there is one audit sink, and what is sent to an address is signed', () => {
  const AUDIT_SINK_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const url = { AUDIT_SINK_URL: 'https://siem.example/audit' }
  assert.deepEqual(problemsOf({ ...url, AUDIT_SINK_SECRET }), [])
  assert.deepEqual(problemsOf({ AUDIT_SINK_FILE: 'audit.jsonl' }), [])
  assert.match(problemsOf(url).join(), /AUDIT_SINK_URL needs AUDIT_SINK_SECRET/)
  const both = { ...url, AUDIT_SINK_SECRET, AUDIT_SINK_FILE: 'audit.jsonl' }
  assert.match(problemsOf(both).join(), /AUDIT_SINK_FILE and AUDIT_SINK_URL are both given/)
  const [problem = ''] = problemsOf({ ...url, AUDIT_SINK_SECRET: 'guessable' })
  assert.match(problem, /AUDIT_SINK_SECRET must be `whsec_`/)
  assert.doesNotMatch(problem, /guessable/)
})

test('OPER-20 OPER-22 in production four eyes are on, from the first cent', () => {
  const production = { NODE_ENV: 'production', MASTER_KEY: KEY, PUBLIC_URL: 'https://pay.example' }
  const { fourEyes, fourEyesFrom } = loadSettings(production, { cwd: root })
  assert.deepEqual([fourEyes, fourEyesFrom], ['on', 0n])
  assert.match(
    problemsOf({ FOUR_EYES_FROM: 'EUR:5', FOUR_EYES: 'maybe' }).join(),
    /FOUR_EYES .*FOUR_EYES_FROM/,
  )
})

const OIDC = {
  OPERATOR_OIDC_ISSUER: 'https://login.example.com',
  OPERATOR_OIDC_CLIENT_ID: 'florin',
}

const OIDC_PROBLEMS: readonly (readonly [object, ...RegExp[]])[] = [
  [OIDC],
  [{ ...OIDC, ADMIN_HOST: '::1' }],
  [{ ...OIDC, OPERATOR_OIDC_ISSUER: 'http://127.0.0.1:3000' }],
  [{ ...OIDC, ADMIN_HOST: '0.0.0.0', ADMIN_URL: 'https://ops.example.com' }],
  [{ ...OIDC, ADMIN_HOST: '0.0.0.0' }, /OPERATOR_OIDC_ISSUER needs ADMIN_URL/],
  [{ ...OIDC, ADMIN_PORT: '0' }, /OPERATOR_OIDC_ISSUER needs ADMIN_URL/],
  [{ OPERATOR_OIDC_ISSUER: 'https://a.example' }, /OPERATOR_OIDC_CLIENT_ID is required/],
  [{ ...OIDC, OPERATOR_OIDC_ISSUER: 'http://login.example.com' }, /ISSUER must be an https/],
  [{ ...OIDC, OPERATOR_OIDC_SCOPES: 'profile email' }, /SCOPES must be .* openid among them/],
  [{ ...OIDC, OPERATOR_OIDC_ROLES: 'pay-admins=BOSS' }, /ROLES must be groups with roles/],
  [{ ...OIDC, OPERATOR_OIDC_ROLES: 'pay-admins' }, /ROLES must be groups with roles/],
  [{ ...OIDC, OPERATOR_OIDC_ROLES: '=ADMIN' }, /ROLES must be groups with roles/],
  [
    { OPERATOR_OIDC_ROLES: 'a=ADMIN', OPERATOR_OIDC_ACR: 'mfa' },
    /OPERATOR_OIDC_ROLES is given without OPERATOR_OIDC_ISSUER/,
    /OPERATOR_OIDC_ACR is given without OPERATOR_OIDC_ISSUER/,
  ],
]

for (const [env, ...expected] of OIDC_PROBLEMS) {
  const outcome =
    expected.length === 0 ? 'has all that is needed' : `is refused ${expected.length}×`
  test(`OPER-31 sign-in by OIDC with ${JSON.stringify(env)} ${outcome}`, () => {
    const problems = problemsOf({ ...env })
    assert.equal(problems.length, expected.length, problems.join())
    for (const [at, form] of expected.entries()) assert.match(problems[at] ?? '', form)
  })
}
