# Signs in at the browser door as an employee and searches a free time, as a page does.
set -eu

fail() {
  echo "$1"
  exit 1
}

# Cookies are handled by hand: curl keeps `Secure` ones from plain http, which this is inside the cluster.
first=$(curl -sS -m 10 -D - -o /dev/null "$DOOR/api/openapi.json") || fail "the door does not answer"
cookie() { printf '%s\n' "$first" | tr -d '\r' | sed -n "s/^[Ss]et-[Cc]ookie: $1=\([^;]*\).*/\1/p" | head -n 1; }
name=$(cookie __Host-anon)
xsrf=$(cookie XSRF-TOKEN)
[ -n "$name" ] && [ -n "$xsrf" ] || fail "the door set no XSRF pair"

escaped() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
ask() {
  path=$1
  shift
  curl -sS -m 30 --fail-with-body -H "Cookie: __Host-anon=$name; XSRF-TOKEN=$xsrf" -H "X-XSRF-TOKEN: $xsrf" \
    -H 'Content-Type: application/json' "$@" "$DOOR$path"
}
# By standard input: a command line shows in lists of processes.
session=$(printf '{"email":"%s","password":"%s"}' "$(escaped "$EMAIL")" "$(escaped "$PASSWORD")" |
  ask /api/auth/login --data-binary @-) || fail "signing in was refused: $session"
token=$(printf '%s' "$session" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
[ -n "$token" ] || fail "signing in gave no token"

business=/api/v1/businesses/$BUSINESS
services=$(ask "$business/services?pageSize=1" -H "Authorization: Bearer $token") ||
  fail "the services can't be read: $services"
service=$(printf '%s' "$services" | sed -n 's/.*"services":\[{"id":"\([^"]*\)".*/\1/p')
[ -n "$service" ] || fail "the business offers no service"

offers=$(printf '{"items":[{"serviceId":"%s"}],"pageSize":1}' "$service" |
  ask "$business/availability:search" -H "Authorization: Bearer $token" --data-binary @-) ||
  fail "the search was refused: $offers"
case $offers in
  *'"timeZone"'*) echo "signed in and searched: the door, auth, tenancy and scheduling answer" ;;
  *) fail "the search answered: $offers" ;;
esac
