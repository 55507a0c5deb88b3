#!/bin/sh
# Creates the secrets of a deployment, one file each, in the folder that the first argument names (default: secrets). A file that exists is
# kept, so a second run changes nothing; to replace a secret, delete its file and those that contain it, and run this again.
#
#   infra/secrets/make-secrets.sh                                               docker-compose.yml, whose servers are `postgres` and `redis`
#   POSTGRES=db.example:5432 REDIS=cache.example:6379 …/make-secrets.sh DIR     servers elsewhere
set -eu
folder=${1:-secrets}
postgres=${POSTGRES:-postgres:5432}
redis=${REDIS:-redis:6379}

# Files are readable for all, because services of a machine run as several users and mount single files; the folder is not.
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

# Writes standard input to a new file. Nothing is left of a file that could not be written.
keep() {
  if [ -e "$folder/$1" ]; then
    cat > /dev/null
  else
    cat > "$folder/.$1.new" && chmod 444 "$folder/.$1.new" && mv "$folder/.$1.new" "$folder/$1"
    echo "created $folder/$1"
  fi
}
read_secret() { cat "$folder/$1"; }

for name in clickhouse-admin clickhouse-writer clickhouse-api clickhouse-analyst kafka-password kafka-broker-password postgres-password \
  redis-password admin-token cursor-key webhook-key grafana-admin; do
  openssl rand -hex 32 | keep "$name"
done
openssl genpkey -algorithm ed25519 | keep token-keys.pem
echo "postgres://orrery:$(read_secret postgres-password)@$postgres/orrery" | keep identity-url
echo "redis://:$(read_secret redis-password)@$redis" | keep redis-url
# Users of the broker: itself, and Orrery.
keep kafka-jaas.conf << END
KafkaServer {
  org.apache.kafka.common.security.plain.PlainLoginModule required
  username="broker" password="$(read_secret kafka-broker-password)"
  user_broker="$(read_secret kafka-broker-password)"
  user_orrery="$(read_secret kafka-password)";
};
END
