package starlib
import ("testing";"fmt";"strings")
func TestZZ(t *testing.T){ s:=NewSession(Options{Dir:t.TempDir()}); for _,x:=range s.documentation(){ if len(x.missing)>0 {fmt.Println(x.title,len(x.missing),strings.Join(x.missing," "))}}}
