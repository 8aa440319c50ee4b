import { contentRules } from './content.ts'
import { proveRules } from './project/prove-rules.ts'

// Put together here, so that the rules do not find their own test.
const base64 = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIB'
const pem = `-----BEGIN ${'PRIVATE'} KEY-----`
const accessKey = 'AKIA' + 'ABCDEFGHIJKLMNOP'
const liveKey = 'sk_live' + '_0123456789abcdef'
const signed = ['eyJ', '.eyJ', '.'].map((start) => start + 'a1b2c3d4'.repeat(3)).join('')
const [maker, registry, machine] = ['Anth' + 'ropic', 'verd' + 'accio', '/ro' + 'ot/']

proveRules(contentRules, [
  {
    rule: 'secret-literal',
    because: 'a random value under the name of a secret',
    files: {
      'server/src/infra/a.ts':
        "const masterKey = 'q83vEjRWeJCrze8SNFZ4kA'\nconst a = { clientSecret: 'f3a9c2d4e5b6a7c8d9e0f1a2' }\n",
    },
    at: ['server/src/infra/a.ts:1', 'server/src/infra/a.ts:2'],
  },
  {
    rule: 'secret-literal',
    because: 'names, sentences, other fields, and the fixed vectors of tests',
    files: {
      'server/src/infra/a.ts':
        "const a = { secret: 'client_secret', password: 'at least 12 characters', digest: 'f3a9c2d4e5b6a7c8d9e0f1a2' }\n",
      'server/src/crypto/a.test.ts': "const masterKey = 'q83vEjRWeJCrze8SNFZ4kA'\n",
    },
    at: [],
  },
  {
    rule: 'secret-form',
    because: 'keys and tokens in any file, tests included',
    files: {
      'server/src/crypto/a.test.ts': `const key = \`\n${pem}\n${base64}\n\``,
      'docs/guides/start.md': `\nUse ${accessKey}.\n`,
      'examples/a.ts': `const a = '${liveKey}'\n`,
      'bench/a.json': `{"token":"${signed}"}`,
    },
    at: [
      'bench/a.json:1',
      'docs/guides/start.md:2',
      'examples/a.ts:1',
      'server/src/crypto/a.test.ts:2',
    ],
  },
  {
    rule: 'secret-form',
    because: 'the frame of a key without a key, and digests',
    files: {
      'server/src/crypto/a.ts': `const head = '${pem}'\n`,
      'package-lock.json': `{"integrity":"sha512-${base64}${base64}=="}`,
    },
    at: [],
  },
  {
    rule: 'foreign-word',
    because: 'makers of tools, registries and machines, in any file',
    files: {
      'docs/guides/start.md': `Written with ${maker}.\nHosted on ${registry}\n`,
      'bench/a.json': `{"path":"${machine}florin"}`,
    },
    at: ['bench/a.json:1', 'docs/guides/start.md:1', 'docs/guides/start.md:2'],
  },
  {
    rule: 'foreign-word',
    because: 'the interface description is ours, and a folder inside the project may have any name',
    files: { 'docs/guides/start.md': 'The OpenAPI file; infra/work/ and ./root/ are relative.\n' },
    at: [],
  },
  {
    rule: 'lock-address',
    because: 'a lock file that names one registry',
    files: { 'package-lock.json': '{\n  "resolved": "https://registry.example/a.tgz"\n}' },
    at: ['package-lock.json:2'],
  },
  {
    rule: 'lock-address',
    because: 'a workspace is a link',
    files: { 'package-lock.json': '{\n  "resolved": "server",\n  "link": true\n}' },
    at: [],
  },
])
