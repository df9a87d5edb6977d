# Signs in at the browser door as an employee and searches a free time, as a page does.
set -eu

# Cookies are handled by hand: curl keeps `Secure` ones from plain http, which this is inside the cluster.
first=$(curl -sS -m 10 -D - -o /dev/null "$DOOR/api/openapi.json")
cookie() { printf '%s\n' "$first" | tr -d '\r' | sed -n "s/^[Ss]et-[Cc]ookie: $1=\([^;]*\).*/\1/p" | head -n 1; }
name=$(cookie __Host-anon)
xsrf=$(cookie XSRF-TOKEN)
[ -n "$name" ] && [ -n "$xsrf" ] || { echo "the door set no XSRF pair"; exit 1; }

escaped() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }
ask() {
  path=$1
  shift
  curl -sS -m 30 --fail-with-body -H "Cookie: __Host-anon=$name; XSRF-TOKEN=$xsrf" -H "X-XSRF-TOKEN: $xsrf" \
    -H 'Content-Type: application/json' "$@" "$DOOR$path"
}
# By standard input: a command line shows in lists of processes.
session=$(printf '{"email":"%s","password":"%s"}' "$(escaped "$EMAIL")" "$(escaped "$PASSWORD")" |
  ask /api/auth/login --data-binary @-)
token=$(printf '%s' "$session" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
[ -n "$token" ] || { echo "signed in without a token"; exit 1; }

business=/api/v1/businesses/$BUSINESS
services=$(ask "$business/services?pageSize=1" -H "Authorization: Bearer $token")
service=$(printf '%s' "$services" | sed -n 's/.*"services":\[{"id":"\([^"]*\)".*/\1/p')
[ -n "$service" ] || { echo "the business offers no service"; exit 1; }

offers=$(printf '{"items":[{"serviceId":"%s"}],"pageSize":1}' "$service" |
  ask "$business/availability:search" -H "Authorization: Bearer $token" --data-binary @-)
case $offers in
  *'"timeZone"'*) echo "signed in and searched: the door, auth, tenancy and scheduling answer" ;;
  *) echo "the search answered: $offers"; exit 1 ;;
esac
