// The settings of a broker for tests: one node that is broker and controller, small, fast to start, with short timeouts.

const CLUSTER = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOCKED:SASL_PLAINTEXT,LINE:PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'listener.name.locked.plain.sasl.jaas.config':
    'org.apache.kafka.common.security.plain.PlainLoginModule required user_orrery="open sesame";',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '1',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  // Sessions of a second, so that a suspended worker loses its partitions within a test.
  'group.min.session.timeout.ms': '1000',
  'auto.create.topics.enable': 'false',
  // After kill -9 the controller keeps the old registration this long, and the new process waits for it. Less risks fencing a slow broker.
  'broker.session.timeout.ms': '3000',
  'broker.heartbeat.interval.ms': '500',
  'num.network.threads': '2',
  'num.io.threads': '2',
  'log.cleaner.dedupe.buffer.size': '10485760',
}

export interface BrokerPorts {
  readonly open: number
  /** Requires the user `orrery` with the password `open sesame`. */
  readonly locked: number
  readonly controller: number
  /** Port of the broker for the faulty connection. */
  readonly line: number
  /** Port of the faulty connection for clients. */
  readonly lineEntrance: number
}

/** A listener that a test adds. Its settings are those of the broker behind `listener.name.<name>.`. */
export interface ExtraListener {
  /** Lowercase letters. */
  readonly name: string
  readonly protocol: 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL'
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

/** The text of `server.properties` for a broker on these ports of 127.0.0.1. */
export function serverProperties(
  directory: string,
  { open, locked, controller, line, lineEntrance }: BrokerPorts,
  extra: readonly ExtraListener[] = [],
): string {
  const added = extra.map(({ name, port }) => `,${name.toUpperCase()}://127.0.0.1:${port}`).join('')
  const listeners = `PLAINTEXT://127.0.0.1:${open},LOCKED://127.0.0.1:${locked},CONTROLLER://127.0.0.1:${controller}${added}`
  const protocols = extra.map(({ name, protocol }) => `,${name.toUpperCase()}:${protocol}`).join('')
  const settings = extra.flatMap((each) =>
    Object.entries(each.settings).map(([name, value]) => [`listener.name.${each.name}.${name}`, value] as const),
  )
  const own = {
    'log.dirs': directory,
    listeners: `${listeners},LINE://127.0.0.1:${line}`,
    'advertised.listeners': `${listeners},LINE://127.0.0.1:${lineEntrance}`,
    'listener.security.protocol.map': `${CLUSTER['listener.security.protocol.map']}${protocols}`,
    'controller.quorum.bootstrap.servers': `127.0.0.1:${controller}`,
  }
  return Object.entries({ ...CLUSTER, ...own, ...Object.fromEntries(settings) })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
